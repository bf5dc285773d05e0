import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { err, ok, type Result } from '../../kit/result.ts';
import { planMigration } from '../migrate/look.ts';
import type { Migration } from '../migrate/migrations.ts';
import { databaseFaces, type ReadDb } from '../writers/db.ts';
import { toStorageError, type StorageError } from '../writers/storage-error.ts';

/** A read-only connection in this thread, for commands that have nothing else to do. */
export interface Reading {
  readonly db: ReadDb;
  close(): void;
}

const READ_TIMEOUT_MS = 5_000;
/** A core that starts, closes or cleans up after a killed one locks others out for a moment, without a word to SQLite's own waiting. */
const PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 20;

/**
 * Opens a database for reading while no core has it. `null` when there is none yet, or one that only a core could bring to
 * today's form; a newer or damaged one is an error, and nothing in it is touched (D6).
 */
export function openReading(path: string, migrations: readonly Migration[]): Result<Reading | null, StorageError> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const opened = openNow(path, migrations);
    if (opened.ok || opened.error.code !== 'storage_busy' || performance.now() > deadline) return opened;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  }
}

function openNow(path: string, migrations: readonly Migration[]): Result<Reading | null, StorageError> {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return ok(null);
    const plan = planMigration(path, migrations);
    if (!plan.ok) return plan;
    if (plan.value !== 'current') return ok(null);
    const raw = new Database(path, { readonly: true, fileMustExist: true, timeout: READ_TIMEOUT_MS });
    return ok({ db: databaseFaces(raw).read, close: () => void raw.close() });
  } catch (error) {
    const known = toStorageError(path, error);
    if (known === null) throw error;
    return err(known);
  }
}
