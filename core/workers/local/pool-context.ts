import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import type { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import type { Random } from '../../kit/random.ts';
import type { WorkerEvents } from '../contract.ts';
import type { AgentGates } from './agent-gates.ts';
import type { StartGate } from './start-gate.ts';
import type { AdoptedWatch, WorkerProgram } from './worker-process.ts';

/** Milliseconds that the pool waits for things. */
export interface PoolTimings {
  /** From a start, a cut or a restart of the core to the worker's connection. */
  readonly connectMs: number;
  /** From `release` to the kill. */
  readonly releaseMs: number;
  /** What is left of an attempt after its worker's end gets so long from SIGTERM to SIGKILL. */
  readonly leftoverMs: number;
  /** The pool is filled up after so long without a start, so that it takes no processor from work. */
  readonly refillMs: number;
  /** A connected worker is asked for a sign of life so often. */
  readonly pingMs: number;
  /** A worker that gives none for its idle limit and so much more is ended (R7). */
  readonly silenceMs: number;
}

export const POOL_TIMINGS: PoolTimings = {
  connectMs: 30_000,
  releaseMs: 2000,
  leftoverMs: 1000,
  refillMs: 250,
  pingMs: 15_000,
  silenceMs: 120_000,
};

/** What all attempts of a pool share. */
export interface PoolContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly boot: string;
  readonly events: WorkerEvents;
  readonly scanner: ProcessScanner;
  readonly watch: AdoptedWatch;
  readonly gate: StartGate;
  readonly agentGates: AgentGates;
  readonly program: WorkerProgram;
  readonly addressFile: string;
  readonly bundleVersion: () => string;
  readonly timings: PoolTimings;
}
