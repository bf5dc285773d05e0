import { createHash } from 'node:crypto';
import { chmodSync, lstatSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../kit/make-folder.ts';

/** A path for a Unix socket holds 104 bytes on macOS and 108 on Linux. */
const MAX_SOCKET_PATH = 100;

/**
 * Where the core of a data folder listens for clients of the same user: a socket in a private folder, at a short place
 * when the data folder's own is too long for a socket; a named pipe on Windows. Throws when the folder cannot be made
 * private.
 */
export function apiSocketPath(home: string): string {
  const name = createHash('sha256').update(resolve(home)).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\espalier-api-${userInfo().username}-${name}`;
  const own = join(home, 'run', 'api.sock');
  if (Buffer.byteLength(own) <= MAX_SOCKET_PATH) {
    makePrivate(join(home, 'run'));
    return own;
  }
  const uid = process.getuid?.() ?? 0;
  const short = Buffer.byteLength(tmpdir()) <= 40 ? tmpdir() : '/tmp';
  makePrivate(join(short, `espalier-${uid}`));
  return join(short, `espalier-${uid}`, `${name}.sock`);
}

/** Makes a folder that only this user can enter; one of somebody else's at that name is a reason to stop. */
function makePrivate(folder: string): void {
  makeFolder(folder);
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${folder} belongs to somebody else; no socket is opened in it`);
  }
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
