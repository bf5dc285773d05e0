import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../../kit/make-folder.ts';
import { isSameProcess } from '../../kit/process-tree/host-processes.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { ensurePrivateFile, fileIdentity, sameFile } from '../writers/database-file.ts';
import { toStorageError, type StorageError } from '../writers/storage-error.ts';
import { readCoreInfo, removeCoreInfo, writeCoreInfo, type CoreInfo } from './core-info.ts';

/** Why this process cannot be the core of the data folder (D2). */
export type CoreLockError =
  /** Another core has it; `holder` is what it said of itself, `null` while it is still starting. */
  | { readonly code: 'home_locked'; readonly message: string; readonly holder: CoreInfo | null }
  /** The folder cannot be locked at all. */
  | { readonly code: 'home_unusable'; readonly message: string; readonly cause: StorageError | null };

/** The right to be the core of a data folder: to listen on its sockets and to unlink stale ones. */
export interface CoreLock {
  readonly home: string;
  /** Tells everybody who asks `readCoreInfo` what has changed, such as the sockets once they listen. */
  publish(info: CoreInfo): void;
  /** Gives the right up; what was published is gone before the lock is. Further calls change nothing. */
  release(): void;
}

const FILE = 'core.lock';
// The file can only be swapped under us by somebody who deletes it at that very moment.
const MAX_TRIES = 5;

/**
 * Makes this process the core of `home`, which is created (0700) if it is not there. The right is an exclusive SQLite
 * transaction on `core.lock`, held until {@link CoreLock.release}; the system takes it back when the process dies,
 * however it dies. Nothing else in the process may open that file: closing any descriptor of it would drop the lock.
 *
 * A lock file deleted by hand does not make room for a second core: as long as the process named in `core.json` is
 * alive, the folder counts as locked. `isAlive` answers that (by pid and start time).
 */
export async function acquireCoreLock(
  home: string,
  info: CoreInfo,
  isAlive: (process: { readonly pid: number; readonly startTime: string }) => Promise<boolean> = isSameProcess,
): Promise<Result<CoreLock, CoreLockError>> {
  let locked: Result<Database.Database, CoreLockError>;
  try {
    locked = lockFile(home);
  } catch (error) {
    return err(unusable(home, error));
  }
  if (!locked.ok) return locked;
  const held = locked.value;
  try {
    const last = readCoreInfo(home);
    if (last !== null && last.pid !== info.pid && last.startTime !== null) {
      const alive = await isAlive({ pid: last.pid, startTime: last.startTime });
      if (alive) {
        held.close();
        return err(homeLocked(home, last));
      }
    }
    writeCoreInfo(home, info);
  } catch (error) {
    held.close();
    return err(unusable(home, error));
  }
  return ok(createLock(home, held));
}

function createLock(home: string, held: Database.Database): CoreLock {
  return {
    home,
    publish(info) {
      if (!held.open) throw new Error('The core lock was released');
      writeCoreInfo(home, info);
    },
    release() {
      if (!held.open) return;
      removeCoreInfo(home);
      held.close();
    },
  };
}

function lockFile(home: string): Result<Database.Database, CoreLockError> {
  makeFolder(home);
  const path = join(home, FILE);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    ensurePrivateFile(path);
    if (!lstatSync(path).isFile()) break;
    const held = holdExclusively(path);
    if (held === null) return err(homeLocked(home, readCoreInfo(home)));
    if (sameFile(held.identity, fileIdentity(path))) return ok(held.raw);
    held.raw.close();
  }
  return err({
    code: 'home_unusable',
    message: `${path} is not an ordinary file. Remove it and start again.`,
    cause: null,
  });
}

function holdExclusively(path: string): { raw: Database.Database; identity: ReturnType<typeof fileIdentity> } | null {
  const identity = fileIdentity(path);
  const raw = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    raw.exec('BEGIN EXCLUSIVE');
    return { raw, identity };
  } catch (error) {
    raw.close();
    if (toStorageError(path, error)?.code === 'storage_busy') return null;
    throw error;
  }
}

function homeLocked(home: string, holder: CoreInfo | null): CoreLockError {
  const who = holder === null ? 'another Espalier' : `another Espalier (process ${String(holder.pid)})`;
  return { code: 'home_locked', message: `${home} is in use by ${who}.`, holder };
}

function unusable(home: string, error: unknown): CoreLockError {
  const cause = toStorageError(join(home, FILE), error);
  const why = cause?.message ?? wordsOfSystem(error);
  if (why === null) throw error;
  return { code: 'home_unusable', message: `${home} cannot be used as data folder. ${why}`, cause };
}

/** What the system says of a folder that cannot be made: a file is in its place, a link leads nowhere. */
function wordsOfSystem(error: unknown): string | null {
  return error instanceof Error && 'syscall' in error ? error.message : null;
}
