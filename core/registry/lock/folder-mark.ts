import { closeSync, constants, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'core.folder';

/** Who a folder is: the same by every path to it and after a move, and another one in each copy. */
export function folderIdentity(home: string): string {
  const { dev, ino } = statSync(home, { bigint: true });
  return `${dev}:${ino}`;
}

/**
 * Whether what is in a data folder was written in another one, of which it is a copy. Processes and worktrees that a copy speaks of are those of
 * the other, whose core may be at work with them. False where nothing was written down.
 */
export function isCopiedFolder(home: string): boolean {
  try {
    const file = openSync(join(home, FILE), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return readFileSync(file, 'utf8') !== folderIdentity(home);
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // A new folder, or one of an earlier build.
  }
}

/** Writes down that what is in the data folder belongs to it. Only the holder of the core lock may, once it has taken up what was there. */
export function markFolder(home: string): void {
  const part = join(home, `${FILE}.part`);
  rmSync(part, { force: true });
  const file = openSync(part, 'wx', 0o600);
  try {
    writeSync(file, folderIdentity(home));
  } finally {
    closeSync(file);
  }
  renameSync(part, join(home, FILE));
}
