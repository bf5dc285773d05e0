import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { err, ok, type Result } from '../../kit/result.ts';
import { storageError, type StorageError } from '../writers/storage-error.ts';
import type { Migration } from './migrations.ts';

/** What has to be done before a database can be used. */
export type MigrationPlan = 'fresh' | 'current' | 'upgrade';

/**
 * Looks at a database without changing a byte of it or its journal mode (D6, case 44). A version beyond the known
 * migrations is `storage_newer`; tables without a version, or a version that cannot be, are `storage_corrupt`.
 * Throws what SQLite throws.
 */
export function planMigration(path: string, migrations: readonly Migration[]): Result<MigrationPlan, StorageError> {
  if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) === 0) return ok('fresh');
  const { version, tables } = look(path);
  const known = migrations.length;
  if (version > known) return err(newer(path, version, known));
  if (version < 0) return err(corrupt(path, `its schema version is ${String(version)}`));
  if (version === 0 && tables > 0) return err(corrupt(path, 'it has tables but no schema version'));
  if (version > 0 && tables === 0) return err(corrupt(path, `it has schema version ${String(version)} but no tables`));
  if (version === 0) return ok('fresh');
  return ok(version === known ? 'current' : 'upgrade');
}

interface Look {
  readonly version: number;
  readonly tables: number;
}

function look(path: string): Look {
  const raw = openForLook(path);
  try {
    const version = raw.pragma('user_version', { simple: true }) as number;
    const tables = raw.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0;
    return { version, tables };
  } finally {
    raw.close();
  }
}

// A read-only connection to a WAL database creates its side files. Without a log everything is in the main file, and
// `immutable` reads that without touching anything else.
function openForLook(path: string): Database.Database {
  if (sizeOf(`${path}-wal`) > 0) return new Database(path, { readonly: true, fileMustExist: true, timeout: 0 });
  return new Database(`${pathToFileURL(path).href}?immutable=1`, { readonly: true, fileMustExist: true, timeout: 0 });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function newer(path: string, version: number, known: number): StorageError {
  const message =
    `${path} was written by a newer Espalier (schema version ${String(version)}; this one knows up to ` +
    `${String(known)}). Nothing in it was changed; update Espalier or use another data folder.`;
  return storageError('storage_newer', path, undefined, message);
}

function corrupt(path: string, what: string): StorageError {
  const message = `${path} is damaged or is not an Espalier database: ${what}. Nothing in it was changed; restore a backup or use another data folder.`;
  return storageError('storage_corrupt', path, undefined, message);
}
