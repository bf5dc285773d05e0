import { constants, fstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isInside } from './resolve-inside.ts';

/** Flags that make an open fail on a link and never wait (a named pipe); 0 where the system has no such flag. */
export const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Whether the open file `fd` really lies inside `root`, whatever happened to the folders of `path` between resolving and opening. On Linux the
 * kernel names the place of the descriptor; elsewhere the path is resolved once more and must lead to the same file.
 */
export function isOpenInside(fd: number, path: string, root: string): boolean {
  if (process.platform === 'linux') {
    const place = placeOf(fd);
    if (place !== null) return isInside(root, place);
  }
  try {
    const real = realpathSync.native(path);
    const there = statSync(real, { bigint: true });
    const opened = fstatSync(fd, { bigint: true });
    return isInside(root, real) && there.ino === opened.ino && there.dev === opened.dev;
  } catch {
    // The path is gone or unreadable: nothing can be proved.
    return false;
  }
}

function placeOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // No /proc in this container.
    return null;
  }
}
