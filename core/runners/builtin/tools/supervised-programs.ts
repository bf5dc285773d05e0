import type { Clock } from '../../../kit/clock.ts';
import type { ProcessScanner } from '../../../kit/process-tree/process-scanner.ts';
import {
  type ProgramEnd as SupervisedEnd,
  type ProgramRun,
  runProgram,
} from '../../../kit/process-tree/run-program.ts';
import type { ProgramEnd, ProgramRequest, Programs, RunningProgram } from './programs.ts';

/** Time from SIGTERM to SIGKILL when a program is stopped (C3). */
const GRACE_MS = 5000;

/** Programs under the supervision of their process tree. What they leave running is reported, and ended with the run. */
export function supervisedPrograms(
  scanner: ProcessScanner,
  clock: Clock,
  graceMs: number = GRACE_MS,
  secrets: readonly string[] = [],
): Programs {
  return { start: (request) => startSupervised(request, { scanner, clock, graceMs, secrets }) };
}

function startSupervised(
  request: ProgramRequest,
  { clock, ...how }: Pick<ProgramRun, 'scanner' | 'clock' | 'graceMs' | 'secrets'>,
): RunningProgram {
  const stop = new AbortController();
  let timedOut = false;
  const onTimeout = (): void => {
    timedOut = true;
    stop.abort();
  };
  const cancelTimer = request.timeoutMs === null ? null : clock.after(request.timeoutMs, onTimeout);
  let onPid: (pid: number | null) => void = () => undefined;
  const started = new Promise<number | null>((resolve) => (onPid = resolve));
  const run = async (): Promise<ProgramEnd> => {
    const result = await runProgram({
      command: request.file,
      args: request.args,
      env: request.environment,
      cwd: request.cwd,
      clock,
      ...how,
      signal: AbortSignal.any([request.signal, stop.signal]),
      background: 'leave',
      onStart: ({ pid }) => onPid(pid),
      onStdout: (text) => request.onOutput(text, 'stdout'),
      onStderr: (text) => request.onOutput(text, 'stderr'),
    });
    cancelTimer?.();
    onPid(null);
    return result.ok ? endOf(result.value, timedOut) : notStarted(result.error.code, result.error.message);
  };
  const ended = run();
  return {
    started,
    ended,
    stop() {
      stop.abort();
      return ended;
    },
  };
}

function endOf({ code, signal, receipt, background, survivors }: SupervisedEnd, timedOut: boolean): ProgramEnd {
  const reason = receipt === null ? 'exited' : timedOut ? 'timed_out' : 'stopped';
  return { reason, exitCode: code, signal, message: null, survivors, leftRunning: background };
}

function notStarted(code: string, message: string): ProgramEnd {
  const reason = code === 'aborted' ? 'stopped' : 'not_started';
  return { reason, exitCode: null, signal: null, message, survivors: [], leftRunning: [] };
}
