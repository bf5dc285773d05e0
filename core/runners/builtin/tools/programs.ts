import type { ProcessName } from '../../../protocol/report.ts';

/** A program to start in a session and process group of its own, without input. */
export interface ProgramRequest {
  /** Absolute path, or a name on the PATH of `environment`. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds after which the whole process tree is ended; null for no limit. */
  readonly timeoutMs: number | null;
  /** Aborted: the whole process tree is ended (polite first, then by force). */
  readonly signal: AbortSignal;
  /** Text as it comes; a character cut between two chunks comes out whole (B05). */
  onOutput(text: string, stream: 'stdout' | 'stderr'): void;
}

export interface ProgramEnd {
  readonly reason: 'exited' | 'timed_out' | 'stopped' | 'not_started';
  readonly exitCode: number | null;
  /** The signal that ended it (`SIGKILL`). */
  readonly signal: string | null;
  /** Why it did not start. */
  readonly message: string | null;
  /** Processes that could not be ended. */
  readonly survivors: readonly ProcessName[];
  /** Processes that the program left running when it ended by itself. */
  readonly leftRunning: readonly ProcessName[];
}

export interface RunningProgram {
  /** The pid once it runs; null if it could not be started. */
  readonly started: Promise<number | null>;
  /** Settles when the program itself has ended and what it wrote was handed over; a child that keeps its output open does not hold it. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
  /** Ends the whole process tree; resolves when that is over. */
  stop(): Promise<ProgramEnd>;
}

/** Starts programs. */
export interface Programs {
  start(request: ProgramRequest): RunningProgram;
}
