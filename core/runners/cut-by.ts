import type { RunReport } from '../protocol/report.ts';
import { StopSignal, type RunnerPort } from './contract.ts';

/** What has cut the run, if it was cut. */
export function cutBy({ stop }: RunnerPort): RunReport['cut_by'] {
  if (!stop.aborted) return null;
  return stop.reason instanceof StopSignal ? stop.reason.why : 'stop';
}
