import Database from 'better-sqlite3';
import { applyMigrations } from '../migrate/apply.ts';
import type { Migration } from '../migrate/migrations.ts';
import { ensurePrivateFile, fileIdentity, sameFile, type FileIdentity } from './database-file.ts';
import { databaseFaces, type ReadDb, type WriteDb } from './db.ts';

/** How sure a commit must be: `normal` survives the death of the process, `full` also the loss of power. */
export type Durability = 'normal' | 'full';

/** The file of an open writer and the side files that SQLite keeps next to it. */
export interface OpenFiles {
  readonly database: FileIdentity;
  readonly log: FileIdentity | null;
  readonly sharedMemory: FileIdentity | null;
}

/** One writing connection, set up. */
export interface Connection {
  readonly raw: Database.Database;
  readonly files: OpenFiles;
  readonly read: ReadDb;
  readonly write: WriteDb;
  /** `BEGIN IMMEDIATE` and `COMMIT`, prepared. */
  begin(): void;
  commit(): void;
  /** Sets the durability of the next transaction; call it outside of one. */
  setDurability(durability: Durability): void;
  /** How long SQLite itself may wait for a lock, blocking, in ms. */
  setWait(ms: number): void;
}

// After a checkpoint the log is cut back to this when it starts again from its beginning.
const LOG_KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Opens the writing connection of a resolved path, creates the file if there is none, and proves that it can be written
 * to. `migrations` are applied if the database is empty. Throws what SQLite and the file system throw.
 */
export function openConnection(path: string, waitMs: number, migrations: readonly Migration[] | null): Connection {
  ensurePrivateFile(path);
  const before = fileIdentity(path);
  const raw = new Database(path, { timeout: waitMs });
  try {
    // Heard by a new file only: what was erased is given back a few pages at a time.
    raw.pragma('auto_vacuum = INCREMENTAL');
    raw.pragma('journal_mode = WAL');
    // Checkpoints are the storage threads' work: a commit on the loop never copies pages.
    raw.pragma('wal_autocheckpoint = 0');
    raw.pragma(`journal_size_limit = ${String(LOG_KEPT_BYTES)}`);
    if (migrations !== null) applyMigrations(raw, migrations);
    raw.pragma('foreign_keys = ON');
    raw.pragma('synchronous = NORMAL');
    raw.exec('BEGIN IMMEDIATE; ROLLBACK');
    const database = fileIdentity(path);
    if (database === null || !sameFile(before, database)) throw replacedWhileOpening(path);
    const files = { database, log: fileIdentity(`${path}-wal`), sharedMemory: fileIdentity(`${path}-shm`) };
    return withSettings(raw, files, waitMs);
  } catch (error) {
    raw.close();
    throw error;
  }
}

// Reported as a lock, so that the opening is tried again.
function replacedWhileOpening(path: string): Error {
  return Object.assign(new Error(`${path} was replaced while it was being opened`), { code: 'SQLITE_BUSY' });
}

function withSettings(raw: Database.Database, files: OpenFiles, initialWaitMs: number): Connection {
  let durability: Durability = 'normal';
  let waitMs = initialWaitMs;
  const begin = raw.prepare('BEGIN IMMEDIATE');
  const commit = raw.prepare('COMMIT');
  return {
    raw,
    files,
    ...databaseFaces(raw),
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    setDurability(wanted) {
      if (wanted === durability) return;
      raw.pragma(wanted === 'full' ? 'synchronous = FULL' : 'synchronous = NORMAL');
      durability = wanted;
    },
    setWait(ms) {
      if (ms === waitMs) return;
      raw.pragma(`busy_timeout = ${String(ms)}`);
      waitMs = ms;
    },
  };
}
