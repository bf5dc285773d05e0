import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { upgradeDatabase } from '../migrate/apply.ts';
import type { Migration } from '../migrate/migrations.ts';
import type { SqlParams } from '../writers/db.ts';
import { backupDatabase } from './backup-database.ts';
import { searchDatabase, type FoundDoc, type SearchQuery } from './search-database.ts';

/** Rows of a query, at most as many as were asked for. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** There are further rows beyond the limit. */
  readonly more: boolean;
}

/** How far a checkpoint came, in pages of the log. */
export interface CheckpointReply {
  readonly log: number;
  readonly checkpointed: number;
}

/** Everything a storage thread does, by type: what goes in and what comes back. */
export interface JobTable {
  /** Copies the log into the database; `drain` also empties the log, before a close. */
  checkpoint: { readonly in: { readonly path: string; readonly drain: boolean }; readonly out: CheckpointReply };
  query: {
    readonly in: { readonly path: string; readonly sql: string; readonly params: SqlParams; readonly maxRows: number };
    readonly out: Rows<unknown>;
  };
  search: {
    readonly in: { readonly path: string; readonly query: SearchQuery };
    readonly out: { readonly hits: readonly FoundDoc[]; readonly more: boolean };
  };
  backup: {
    readonly in: { readonly path: string; readonly destination: string };
    readonly out: { readonly bytes: number };
  };
  integrity: { readonly in: { readonly path: string }; readonly out: { readonly problems: readonly string[] } };
  upgrade: {
    readonly in: { readonly path: string; readonly migrations: readonly Migration[] };
    readonly out: { readonly from: number; readonly to: number };
  };
}

export type JobType = keyof JobTable;
export type JobIn<T extends JobType> = JobTable[T]['in'];
export type JobOut<T extends JobType> = JobTable[T]['out'];

/** What goes to a thread, and what comes back from it. */
export type JobRequest = {
  [T in JobType]: { readonly id: number; readonly type: T; readonly input: JobIn<T> };
}[JobType];
export type JobResponse =
  | { readonly id: number; readonly ok: true; readonly output: JobOut<JobType> }
  | { readonly id: number; readonly ok: false; readonly failure: JobFailure };

/** An error on its way between threads; `code` is SQLite's or the file system's. */
export interface JobFailure {
  readonly message: string;
  readonly code: string | null;
  readonly stack: string;
}

// A thread may wait; the loop may not. Long enough to pass a reader, short enough to give the writers their turn.
const THREAD_TIMEOUT_MS = 50;
// A read meets a lock only while a log is being recovered or removed.
const READ_TIMEOUT_MS = 5_000;

/** Does one job, blocking. Throws what SQLite throws. Connections live for one job: none is left open on a file that goes. */
export const JOBS: { readonly [T in JobType]: (input: JobIn<T>) => JobOut<T> } = {
  checkpoint: ({ path, drain }) => withDatabase(path, { timeout: THREAD_TIMEOUT_MS }, (raw) => checkpoint(raw, drain)),
  query: ({ path, sql, params, maxRows }) => withReading(path, (raw) => query(raw, sql, params, maxRows)),
  search: ({ path, query }) => withReading(path, (raw) => searchDatabase(raw, query)),
  backup: ({ path, destination }) => withReading(path, (raw) => ({ bytes: backupDatabase(raw, destination) })),
  integrity: ({ path }) => withReading(path, integrity),
  upgrade: ({ path, migrations }) => upgradeDatabase(path, migrations),
};

function withReading<T>(path: string, use: (raw: Database.Database) => T): T {
  return withDatabase(path, { readonly: true, timeout: READ_TIMEOUT_MS }, use);
}

function withDatabase<T>(path: string, options: Database.Options, use: (raw: Database.Database) => T): T {
  statSync(path); // A missing folder or file as a file system error; better-sqlite3 has none for the folder.
  const raw = new Database(path, { ...options, fileMustExist: true });
  try {
    return use(raw);
  } finally {
    raw.close();
  }
}

/**
 * The bulk goes in a passive checkpoint, which writers do not notice. What they appended meanwhile, little, goes in a
 * second one that holds the write lock, so that the log can start from its beginning again and stays bounded.
 */
function checkpoint(raw: Database.Database, drain: boolean): CheckpointReply {
  raw.pragma('wal_autocheckpoint = 0');
  raw.pragma('synchronous = NORMAL');
  const bulk = runCheckpoint(raw, 'PASSIVE');
  if (drain) return runCheckpoint(raw, 'TRUNCATE');
  return bulk.checkpointed < bulk.log ? runCheckpoint(raw, 'RESTART') : bulk;
}

function runCheckpoint(raw: Database.Database, mode: 'PASSIVE' | 'RESTART' | 'TRUNCATE'): CheckpointReply {
  const [reply] = raw.pragma(`wal_checkpoint(${mode})`) as CheckpointReply[];
  return { log: reply?.log ?? 0, checkpointed: reply?.checkpointed ?? 0 };
}

function query(raw: Database.Database, sql: string, params: SqlParams, maxRows: number): Rows<unknown> {
  const statement = raw.prepare<unknown[]>(sql);
  if (!statement.readonly) throw new Error(`A statement that writes was given to the reader: ${sql}`);
  const rows: unknown[] = [];
  for (const row of statement.iterate(...params)) {
    if (rows.length >= maxRows) return { rows, more: true };
    rows.push(row);
  }
  return { rows, more: false };
}

function integrity(raw: Database.Database): { problems: string[] } {
  const report = raw.pragma('integrity_check(100)') as { integrity_check: string }[];
  const keys = raw.pragma('foreign_key_check') as { table: string; rowid: number }[];
  const problems = report.map((line) => line.integrity_check).filter((line) => line !== 'ok');
  return { problems: [...problems, ...keys.slice(0, 100).map((key) => `broken reference in ${key.table}`)] };
}
