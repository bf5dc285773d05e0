import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { hostProcesses } from '../kit/process-tree/host-processes.ts';
import { ProcessScanner } from '../kit/process-tree/process-scanner.ts';
import type { Random } from '../kit/random.ts';
import type { WorkerEvents } from './contract.ts';
import { openMeetingPlace } from './local/meeting-place.ts';
import { POOL_TIMINGS } from './local/pool-context.ts';
import type { PoolTimings } from './local/pool-context.ts';
import { LocalWorkerPool } from './local/worker-pool.ts';

/** What {@link createLocalWorkerPool} is told. */
export interface LocalWorkerPoolOptions {
  /** The data folder; socket, its address and idle workers are below it in `workers/`, which is made 0700. */
  readonly home: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Changes with every start of the core. */
  readonly boot: string;
  /** The program that calls `runWorker`: a file for the host's own runtime, or a whole command. */
  readonly childEntry: string | { readonly execPath: string; readonly args: readonly string[] };
  readonly events: WorkerEvents;
  /** Workers to keep ready, at most 2. */
  readonly warm: number;
  /** What the environment of worker processes is taken from (no keys are). Tools get the assignment's. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Version of the worker's code as it lies on disk now; default: time and size of the child entry's file. */
  readonly bundleVersion?: () => string;
  /** One that others use too; default: a new one. */
  readonly scanner?: ProcessScanner;
  readonly timings?: Partial<PoolTimings>;
}

/**
 * A pool of worker processes on this machine, reached over a local socket. Only the holder of the core's lock may make one. Rejects when the
 * socket cannot be opened.
 */
export async function createLocalWorkerPool(options: LocalWorkerPoolOptions): Promise<LocalWorkerPool> {
  const { home, clock, random, logger, boot, childEntry, events, environment } = options;
  const folder = join(home, 'workers');
  const idleFolder = join(folder, 'idle');
  await rm(idleFolder, { recursive: true, force: true }); // Idle workers ended with their core.
  const early: Socket[] = [];
  let meet = (socket: Socket): void => void early.push(socket);
  const place = await openMeetingPlace(folder, (socket) => meet(socket));
  const program = typeof childEntry === 'string' ? { execPath: process.execPath, args: [childEntry] } : childEntry;
  const pool = new LocalWorkerPool({
    context: {
      clock,
      random,
      logger,
      boot,
      events,
      scanner: options.scanner ?? new ProcessScanner({ source: hostProcesses(), clock }),
      bundleVersion: options.bundleVersion ?? (() => fileVersion(program.args.at(-1) ?? program.execPath)),
      program: { ...program, environment, cwd: folder },
      timings: { ...POOL_TIMINGS, ...options.timings },
    },
    place,
    warm: { target: options.warm, folder: idleFolder },
  });
  meet = (socket) => pool.meet(socket);
  for (const socket of early) pool.meet(socket);
  return pool;
}

/** Changes whenever the file is written. */
function fileVersion(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'missing' : `${Math.round(found.mtimeMs)}-${found.size}`;
}
