import { renameSync, rmSync } from 'node:fs';
import type { OpenFiles } from './connection.ts';
import { fileIdentity, sameFile } from './database-file.ts';

/**
 * Takes the side files of a replaced database out of the way of its successor (D1). The old log must never be read into
 * the new file, and the old shared memory must not be cut while it is mapped; side files that came with the new database
 * are left alone. The log is kept under another name, because it may hold the last rows of the old file.
 * Returns where it went, or `null`. Throws what the file system throws.
 */
export function setAsideSideFiles(path: string, files: OpenFiles, suffix: string): string | null {
  const log = `${path}-wal`;
  const sharedMemory = `${path}-shm`;
  if (sameFile(files.sharedMemory, fileIdentity(sharedMemory))) rmSync(sharedMemory, { force: true });
  if (!sameFile(files.log, fileIdentity(log))) return null;
  const kept = `${path}-wal.replaced-${suffix}`;
  renameSync(log, kept);
  return kept;
}
