import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toStorageError } from './storage-error.ts';

const PATH = join(tmpdir(), 'nothing-is-here.db');
const thrown = (code: string): Error => Object.assign(new Error('no'), { code });

test.each([
  ['SQLITE_BUSY_SNAPSHOT', 'storage_busy'],
  ['SQLITE_PROTOCOL', 'storage_busy'],
  ['SQLITE_FULL', 'storage_full'],
  ['SQLITE_READONLY_DIRECTORY', 'storage_readonly'],
  ['SQLITE_READONLY_DBMOVED', 'storage_replaced'],
  ['SQLITE_PERM', 'storage_readonly'],
  ['SQLITE_CORRUPT_INDEX', 'storage_corrupt'],
  ['SQLITE_NOTADB', 'storage_corrupt'],
  ['SQLITE_IOERR_FSYNC', 'storage_io'],
  ['SQLITE_CANTOPEN', 'storage_io'],
  ['ENOSPC', 'storage_full'],
  ['EDQUOT', 'storage_full'],
  ['EACCES', 'storage_readonly'],
  ['EPERM', 'storage_readonly'],
  ['EROFS', 'storage_readonly'],
  ['ENOENT', 'storage_io'],
  ['ENOTDIR', 'storage_io'],
  ['EISDIR', 'storage_io'],
  ['ELOOP', 'storage_io'],
  ['EIO', 'storage_io'],
  ['EMFILE', 'storage_io'],
  ['ENFILE', 'storage_io'],
  ['ENAMETOOLONG', 'storage_io'],
  ['ESTALE', 'storage_io'],
])('D6, B23: %s → %s', (code, expected) => {
  expect(toStorageError(PATH, thrown(code), () => null)).toMatchObject({ code: expected, path: PATH });
});

test.each([
  ['EDQUOT', 'storage_full', 'its quota is used up'],
  ['ENOSPC', 'storage_full', 'is full'],
  ['EROFS', 'storage_readonly', 'cannot be written to'],
  ['EIO', 'storage_io', 'Check the disk'],
  [null, 'storage_io', 'Check the disk'],
])('B23: an I/O error of SQLite on a disk that answers %s → %s', (answer, code, words) => {
  const error = toStorageError(PATH, thrown('SQLITE_IOERR_WRITE'), () => answer);
  expect(error).toMatchObject({ code, message: expect.stringContaining(words) as string });
});

test.each(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_MISUSE', 'ERR_INVALID_ARG_TYPE'])('%s is a bug of ours', (code) => {
  expect(toStorageError(PATH, thrown(code))).toBeNull();
});

test('a disk that takes what is tried has nothing to do with it, and keeps nothing of it', () => {
  expect(toStorageError(PATH, thrown('SQLITE_IOERR_WRITE'))?.code).toBe('storage_io');
});
