import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { delay, type Clock } from '../../kit/clock.ts';
import { hostProcesses } from '../../kit/process-tree/host-processes.ts';
import { isRunning, type ProcessEntry, type ProcessSource } from '../../kit/process-tree/process-entry.ts';

/** Where calls of git may be left, and how long they are waited for. */
export interface LeftGit {
  readonly home: string;
  readonly clock: Clock;
  readonly source?: ProcessSource;
  /** Milliseconds until they are asked to end. */
  readonly patienceMs?: number;
}

/** Most calls take milliseconds; a large checkout is begun anew sooner than it is waited for. */
const PATIENCE_MS = 10_000;

/** Git takes its lock files away when it is asked to end; one that does not hear is killed after this. */
const GRACE_MS = 2000;

/** After the last signal only a process that sleeps uninterruptibly stays. */
const KILL_LIMIT_MS = 1000;

const LOOK_AGAIN_MS = 30;

/** The marker of the calls of git that the core of a data folder makes: of that folder, and not of a copy of it. */
export function gitOwner(home: string): string {
  return `git-${createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 16)}`;
}

/**
 * Waits for the calls of git that an earlier core of the data folder made and that outlive it, and ends those that take long (D5, W1): what they
 * still write would come after the next core has cleared up. Only the holder of the core lock may call it, before it calls git itself. They are known
 * by their marker, and signalled by identity (C4).
 */
export async function endLeftGit({
  home,
  clock,
  source = hostProcesses(),
  patienceMs = PATIENCE_MS,
}: LeftGit): Promise<void> {
  const owner = gitOwner(home);
  const left = async (): Promise<ProcessEntry[]> =>
    (await source.list()).entries.filter((entry) => entry.marker === owner && isRunning(entry));
  const gone = async (limitMs: number): Promise<boolean> => {
    const deadline = clock.monotonic() + limitMs;
    while ((await left()).length > 0) {
      if (clock.monotonic() > deadline) return false;
      await delay(clock, LOOK_AGAIN_MS);
    }
    return true;
  };
  if (await gone(patienceMs)) return;
  await source.signal({ signal: 'SIGTERM', processes: await left(), groups: [] });
  if (await gone(GRACE_MS)) return;
  await source.signal({ signal: 'SIGKILL', processes: await left(), groups: [] });
  await gone(KILL_LIMIT_MS);
}
