import { chmodSync, closeSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../kit/make-folder.ts';

/** Which file a path led to when it was looked at. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

// More than any real chain of links; the kernel's own limit on Linux.
const MAX_LINKS = 40;

/**
 * The one true path of a database file, through symlinked folders and a symlinked file, whether or not it exists yet
 * (D1). Missing parent folders are created, private (0700). Throws what the file system throws.
 */
export function resolveDatabasePath(path: string): string {
  let current = resolve(path);
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const parent = dirname(current);
    makeFolder(parent);
    current = join(realpathSync.native(parent), basename(current));
    const target = linkTarget(current);
    if (target === null) return current;
    current = resolve(dirname(current), target);
  }
  throw Object.assign(new Error(`Too many symbolic links: ${path}`), { code: 'ELOOP' });
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // Not a link, or nothing there yet.
  }
}

/** The identity of what is at `path` now; `null` if there is nothing. */
export function fileIdentity(path: string): FileIdentity | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : { dev: found.dev, ino: found.ino };
}

/** Whether two looks found the same file. */
export function sameFile(a: FileIdentity | null, b: FileIdentity | null): boolean {
  return a !== null && b !== null && a.ino === b.ino && a.dev === b.dev;
}

/**
 * Makes sure that the database file exists and that nobody else may read it (0600 whatever the umask; SQLite gives its
 * side files the same mode). Only ever takes permissions away: a file made read-only on purpose stays so.
 *
 * An existing database is never opened here: closing a second descriptor would drop the POSIX locks that SQLite
 * connections of this process hold on it.
 */
export function ensurePrivateFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    try {
      closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return;
  }
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(path, found.mode & 0o700);
}
