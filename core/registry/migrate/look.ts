import { closeSync, openSync, readSync, statSync } from 'node:fs';
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
  const { version, empty } = look(path);
  const known = migrations.length;
  if (version > known) return err(newer(path, version, known));
  if (version < 0) return err(corrupt(path, `its schema version is ${String(version)}`));
  if (version === 0 && !empty) return err(corrupt(path, 'it has tables but no schema version'));
  if (version > 0 && empty) return err(corrupt(path, `it has schema version ${String(version)} but no tables`));
  if (version === 0) return ok('fresh');
  return ok(version === known ? 'current' : 'upgrade');
}

interface Look {
  readonly version: number;
  readonly empty: boolean;
}

function look(path: string): Look {
  return sizeOf(`${path}-wal`) > 0 ? lookThroughLog(path) : lookAtHeader(path);
}

/** With a log, only SQLite knows what is true; read-only, it never writes to the database or the log. */
function lookThroughLog(path: string): Look {
  const raw = new Database(path, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    const version = raw.pragma('user_version', { simple: true }) as number;
    const first = raw.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
    return { version, empty: first === undefined };
  } finally {
    raw.close();
  }
}

// https://www.sqlite.org/fileformat.html, 1.3 and 1.6: the header of the file, followed by that of the schema's first page.
const MAGIC = 'SQLite format 3\0';
const VERSION_AT = 60;
const PAGE_TYPE_AT = 100;
const LEAF_TABLE_PAGE = 0x0d;
const CELL_COUNT_AT = 103;
const HEADER_BYTES = 108;

/**
 * Without a log everything is in the main file, and SQLite would create side files even for a read-only look. Reading is
 * safe with regard to POSIX locks, because a database without a log is open nowhere in this process for writing.
 */
function lookAtHeader(path: string): Look {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw Object.assign(new Error(`${path} is not a database`), { code: 'SQLITE_NOTADB' });
  }
  const leaf = header[PAGE_TYPE_AT] === LEAF_TABLE_PAGE;
  return { version: header.readInt32BE(VERSION_AT), empty: leaf && header.readUInt16BE(CELL_COUNT_AT) === 0 };
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
