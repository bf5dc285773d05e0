import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';

/**
 * Writes a consistent, compact copy of a database, readable by its owner alone, and puts it at `destination` only when it
 * is complete and on disk. Blocks meanwhile. Returns its size in bytes. Throws what SQLite and the file system throw.
 */
export function backupDatabase(raw: Database.Database, destination: string): number {
  const part = `${destination}.part`;
  rmSync(part, { force: true });
  closeSync(openSync(part, 'wx', 0o600));
  try {
    raw.prepare('VACUUM INTO ?').run(part);
    const copy = openSync(part, 'r+');
    try {
      fsyncSync(copy);
    } finally {
      closeSync(copy);
    }
    renameSync(part, destination);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  return statSync(destination).size;
}
