import { statSync } from 'node:fs';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import type { StorageThreads } from '../reader/storage-threads.ts';

/** Keeps the log of one writer from growing without end, off the event loop. */
export interface Checkpoints {
  /** To be called after each commit; cheap. */
  committed(): void;
  /** Empties the log before a close; the writer may go on meanwhile. */
  drain(): Promise<void>;
  /** Resolves when no thread works on this file. */
  settled(): Promise<void>;
  /** A thread works on this file now, and may hold its write lock for a moment. */
  readonly running: boolean;
  /** The log has grown so much faster than it is copied that writes should wait for the running checkpoint. */
  readonly congested: boolean;
  /** Calls `listener` at the end of each checkpoint. */
  onEnd(listener: () => void): void;
}

// Looking at the log's size costs a system call: not at each of thousands of commits a second.
const LOOK_EVERY_MS = 100;
const LOOK_EVERY_COMMITS = 256;

// With 8 MB a log of 64 MB: far beyond what agents write, and still small next to a disk that is nearly full.
const CONGESTED_AT_LIMITS = 8;

/** `limitBytes`: the size of the log from which on it is copied into the database (about 8 MB in the product). */
export function createCheckpoints(
  path: string,
  limitBytes: number,
  threads: StorageThreads,
  clock: Clock,
  logger: Logger,
): Checkpoints {
  let lookedAt = clock.monotonic();
  let commits = 0;
  let current: Promise<void> | null = null;
  let threshold = limitBytes;
  let size = 0;
  let listener = (): void => undefined;

  const run = (drain: boolean): Promise<void> => {
    const done = threads
      .run('checkpoint', { path, drain })
      .then(({ log, checkpointed }) => {
        // A reader with an old snapshot keeps the log from starting again; ask again only after as much growth once more.
        threshold = checkpointed < log ? logSize(path) + limitBytes : limitBytes;
      })
      .catch((error: unknown) => {
        threshold = logSize(path) + limitBytes;
        logger.warn({ path, cause: error instanceof Error ? error.message : String(error) }, 'checkpoint failed');
      })
      .finally(() => {
        current = null;
        listener();
      });
    current = done;
    return done;
  };

  return {
    committed() {
      commits += 1;
      const now = clock.monotonic();
      if (commits < LOOK_EVERY_COMMITS && now - lookedAt < LOOK_EVERY_MS) return;
      commits = 0;
      lookedAt = now;
      size = logSize(path);
      if (current === null && size > threshold) void run(false);
    },
    async drain() {
      await current;
      await run(true);
    },
    settled: async () => {
      await current;
    },
    get running() {
      return current !== null;
    },
    get congested() {
      return current !== null && size > threshold + limitBytes * CONGESTED_AT_LIMITS;
    },
    onEnd(called) {
      listener = called;
    },
  };
}

function logSize(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
