import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { storageError, type StorageError } from './storage-error.ts';

/** How one database file is doing; told once at each change, for a banner (D6). */
export interface StorageHealth {
  readonly path: string;
  /** `busy`: writes wait for a lock that is held outside and will go on; `failing`: the last write was refused. */
  readonly state: 'ok' | 'busy' | 'failing';
  /** Since when, in wall-clock milliseconds. */
  readonly since: number;
  /** What to tell the user; `null` when all is well again. */
  readonly error: StorageError | null;
}

/** Keeps the health of one path; a burst of equal failures is one report and one log line. */
export interface HealthKeeper {
  stalled(waitedMs: number): void;
  failed(error: StorageError): void;
  succeeded(): void;
}

// A shorter wait is ordinary contention and no news.
const NEWS_AFTER_MS = 250;

/** Starts as `ok`, unreported. */
export function createHealthKeeper(
  path: string,
  clock: Clock,
  logger: Logger,
  listener: (health: StorageHealth) => void,
): HealthKeeper {
  let current: StorageHealth = { path, state: 'ok', since: clock.now(), error: null };
  const change = (state: StorageHealth['state'], since: number, error: StorageError | null): void => {
    if (current.state === state && current.error?.code === error?.code) return;
    current = { path, state, since, error };
    if (error === null) logger.info({ path }, 'storage works again');
    else logger.warn({ path, code: error.code }, 'storage trouble');
    listener(current);
  };
  return {
    stalled(waitedMs) {
      if (waitedMs < NEWS_AFTER_MS) return;
      change('busy', clock.now() - waitedMs, storageError('storage_busy', path));
    },
    failed: (error) => change('failing', clock.now(), error),
    succeeded() {
      if (current.state !== 'ok') change('ok', clock.now(), null);
    },
  };
}
