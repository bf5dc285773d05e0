import { accessSync, closeSync, constants, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Why storage could not do what was asked (D1, D6). */
export type StorageErrorCode =
  | 'storage_busy'
  | 'storage_full'
  | 'storage_readonly'
  | 'storage_replaced'
  | 'storage_io'
  | 'storage_corrupt'
  | 'storage_newer'
  | 'storage_closed';

/** An expected failure of storage. `message` is in plain words and says what to do; it never holds row data. */
export interface StorageError {
  readonly code: StorageErrorCode;
  /** The database file concerned. */
  readonly path: string;
  readonly message: string;
  readonly cause?: unknown;
}

const ADVICE: Record<StorageErrorCode, (path: string) => string> = {
  storage_busy: (path) =>
    `Another program holds a lock on ${path}. Close it; writing goes on by itself once the lock is gone.`,
  storage_full: (path) =>
    `The disk that holds ${path} is full, or its quota is used up. Free some space; no restart is needed.`,
  storage_readonly: (path) =>
    `${path} cannot be written to. Check the permissions of the file and its folder, and the mount.`,
  storage_replaced: (path) =>
    `${path} was moved, deleted or replaced while it was open, and nothing can be stored in it. Put it back, or a backup in its place: it is taken up again at once. Or start Espalier again to begin a new one.`,
  storage_io: (path) =>
    `Reading or writing ${path} failed. Check the disk, the quota and the connection to it, then try again.`,
  storage_corrupt: (path) =>
    `${path} is damaged or is not an Espalier database. Nothing in it was changed; restore a backup or use another data folder.`,
  storage_newer: (path) =>
    `${path} was written by a newer Espalier. Nothing in it was changed; update Espalier or use another data folder.`,
  storage_closed: (path) => `${path} has been closed. Open it again to write to it.`,
};

/** Makes a {@link StorageError}; `message` replaces the standard advice when there is more to say. */
export function storageError(code: StorageErrorCode, path: string, cause?: unknown, message?: string): StorageError {
  return { code, path, message: message ?? ADVICE[code](path), ...(cause === undefined ? {} : { cause }) };
}

/**
 * Translates what SQLite or the file system threw into a {@link StorageError}.
 * Returns `null` for anything else (constraint, syntax, type errors): that is a bug and must be thrown on.
 */
export function toStorageError(path: string, thrown: unknown, tryDisk: TryDisk = writeBeside): StorageError | null {
  const raw = codeOf(thrown);
  if (raw === null) return null;
  const code = raw.startsWith('SQLITE_') ? codeOfSqlite(raw, path, tryDisk) : codeOfFileSystem(raw);
  return code === null ? null : storageError(code, path, thrown);
}

function codeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  return typeof thrown.code === 'string' ? thrown.code : null;
}

// Extended result codes share the prefix of their primary code; the one exception comes first.
const SQLITE_PREFIXES: readonly (readonly [prefix: string, code: StorageErrorCode])[] = [
  ['SQLITE_READONLY_DBMOVED', 'storage_replaced'],
  ['SQLITE_BUSY', 'storage_busy'],
  ['SQLITE_PROTOCOL', 'storage_busy'],
  ['SQLITE_FULL', 'storage_full'],
  ['SQLITE_READONLY', 'storage_readonly'],
  ['SQLITE_PERM', 'storage_readonly'],
  ['SQLITE_CORRUPT', 'storage_corrupt'],
  ['SQLITE_NOTADB', 'storage_corrupt'],
  ['SQLITE_IOERR', 'storage_io'],
  ['SQLITE_CANTOPEN', 'storage_io'],
];

/** What the system says of a small new file beside a database: an error's code, or null when it can be written. */
export type TryDisk = (path: string) => string | null;

function codeOfSqlite(raw: string, path: string, tryDisk: TryDisk): StorageErrorCode | null {
  const code = SQLITE_PREFIXES.find(([prefix]) => raw.startsWith(prefix))?.[1] ?? null;
  if (code !== 'storage_io') return code;
  if (diskIsFull(path)) return 'storage_full';
  if (isReadOnly(path)) return 'storage_readonly';
  // A quota is an I/O error to SQLite, and the disk itself may be empty (B23).
  const cause = codeOfFileSystem(tryDisk(path) ?? '');
  return cause === 'storage_full' || cause === 'storage_readonly' ? cause : code;
}

const FILE_SYSTEM_CODES: Readonly<Record<string, StorageErrorCode>> = {
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EACCES: 'storage_readonly',
  EPERM: 'storage_readonly',
  EROFS: 'storage_readonly',
  ENOENT: 'storage_io',
  ENOTDIR: 'storage_io',
  EISDIR: 'storage_io',
  ELOOP: 'storage_io',
  EIO: 'storage_io',
  EMFILE: 'storage_io',
  ENFILE: 'storage_io',
  ENAMETOOLONG: 'storage_io',
  ESTALE: 'storage_io',
};

function codeOfFileSystem(raw: string): StorageErrorCode | null {
  return FILE_SYSTEM_CODES[raw] ?? null;
}

// SQLite calls a full disk an I/O error when it was the shared-memory file that could not grow (32 kB at a time).
const LEAST_USABLE_BYTES = 64 * 1024;

// On a read-only mount it is the side files that cannot be made, which SQLite calls "cannot open".
function isReadOnly(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch (error) {
    return ['EROFS', 'EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code));
  }
}

function diskIsFull(path: string): boolean {
  try {
    const disk = statfsSync(dirname(path));
    return disk.bavail * disk.bsize < LEAST_USABLE_BYTES;
  } catch {
    return false; // The folder is gone as well: the I/O error already says so.
  }
}

/** As large as what SQLite adds at a time: a quota has room for less. */
function writeBeside(path: string): string | null {
  const probe = `${path}.${process.pid}.probe`;
  let file: number | null = null;
  try {
    file = openSync(probe, 'wx', 0o600);
    const bytes = Buffer.alloc(LEAST_USABLE_BYTES);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
    return null;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  } finally {
    if (file !== null) {
      closeSync(file);
      rmSync(probe, { force: true });
    }
  }
}
