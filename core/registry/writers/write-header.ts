import type { WriteDb } from './db.ts';

/** Writes a page, and changes nothing in it: what the disk refuses, this is refused too (D6). */
export function writeHeader(db: WriteDb): void {
  const version = db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  db.run(`PRAGMA user_version = ${String(version)}`);
}
