import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../kit/make-folder.ts';

/** Writes a file of the data folder whole or not at all, for the user alone, never through a link (D7). Throws what the system says. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  makeFolder(dirname(path));
  rmSync(temporary, { force: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = openSync(temporary, flags, 0o600);
  const bytes = Buffer.from(text, 'utf8');
  try {
    try {
      // A disk that is nearly full takes a part, and says so only at the next write.
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
