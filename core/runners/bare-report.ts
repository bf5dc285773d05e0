import { NOTHING_ELSE } from '../protocol/bare-report.ts';
import type { Progress, RunReport } from '../protocol/report.ts';
import type { RunnerPort } from './contract.ts';
import { cutBy } from './cut-by.ts';

/** A report that says how far the run came, what cut it and which steering texts it missed; what it found out is added to it. */
export function bareReport(port: RunnerPort, progress: Progress): RunReport {
  return {
    progress,
    answer: '',
    ...NOTHING_ELSE,
    cut_by: cutBy(port),
    missed_steer: port.undeliveredSteers(),
  };
}
