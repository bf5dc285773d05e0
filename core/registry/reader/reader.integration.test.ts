import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { createReader, type Reader } from './reader.ts';
import { createStorageThreads, setStorageThreadEntry } from './storage-threads.ts';

let folder: string;
let path: string;
let writer: Database.Database;
let reader: Reader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-reader-'));
  path = join(folder, 'a.db');
  writer = new Database(path);
  writer.pragma('journal_mode = WAL');
  writer.exec(`CREATE TABLE t (n INTEGER NOT NULL, b BLOB) STRICT;
    WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000) INSERT INTO t SELECT n, NULL FROM c`);
  reader = createReader(systemClock);
});

afterEach(async () => {
  await reader.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

test('D1: the reader sees what is committed while a writer goes on, bounded and told so', async () => {
  writer.exec('BEGIN IMMEDIATE; INSERT INTO t (n) VALUES (9999)');
  const page = await reader.query<{ n: number }>(path, 'SELECT n FROM t WHERE n > ? ORDER BY n', [2500], {
    maxRows: 2,
  });
  expect(page).toEqual({ ok: true, value: { rows: [{ n: 2501 }, { n: 2502 }], more: true } });
  const tail = await reader.query(path, 'SELECT n FROM t WHERE n > @after', [{ after: 2999 }]);
  expect(tail).toEqual({ ok: true, value: { rows: [{ n: 3000 }], more: false } });
  const all = await reader.query(path, 'SELECT n FROM t');
  expect(all).toMatchObject({ ok: true, value: { more: true } });
  writer.exec('ROLLBACK');
});

test('D1: the reader cannot write', async () => {
  await expect(reader.query(path, 'DELETE FROM t RETURNING n')).rejects.toThrow(/reader/);
  await expect(reader.query(path, 'SELECT n FROM nowhere')).rejects.toThrow(/no such table/);
  expect(await reader.query(path, 'SELECT count(*) AS n FROM t')).toMatchObject({
    ok: true,
    value: { rows: [{ n: 3000 }] },
  });
});

test('D6: a missing file or folder is a value and is not created', async () => {
  for (const missing of [join(folder, 'none.db'), join(folder, 'none', 'none.db')]) {
    expect(await reader.query(missing, 'SELECT 1')).toMatchObject({
      ok: false,
      error: { code: 'storage_io', path: missing },
    });
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([]);
});

test('D6: a backup is whole, private, and replaces an older one; a failed one leaves nothing', async () => {
  const destination = join(folder, 'copy.db');
  for (const n of [1, 2]) {
    writer.prepare('INSERT INTO t (n) VALUES (?)').run(n);
    expect(await reader.backup(path, destination)).toMatchObject({ ok: true });
  }
  expect(statSync(destination).mode & 0o777).toBe(0o600);
  expect(await reader.query(destination, 'SELECT count(*) AS n FROM t')).toMatchObject({
    value: { rows: [{ n: 3002 }] },
  });
  const nowhere = join(folder, 'none', 'copy.db');
  expect(await reader.backup(path, nowhere)).toMatchObject({ ok: false, error: { code: 'storage_io' } });
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('D6: the integrity check is empty for a sound file and has words for a damaged one', async () => {
  expect(await reader.integrityCheck(path)).toEqual({ ok: true, value: [] });
  writer.close();
  truncateSync(path, 3 * 4096);
  const checked = await reader.integrityCheck(path);
  if (checked.ok) expect(checked.value.length).toBeGreaterThan(0);
  else expect(checked.error.code).toBe('storage_corrupt');
});

test('D1: a thread that cannot start fails its jobs and leaves the next ones a new thread', async () => {
  const threads = createStorageThreads(systemClock, 1);
  try {
    setStorageThreadEntry(new URL('./nowhere.ts', import.meta.url));
    await expect(threads.run('integrity', { path })).rejects.toThrow(/nowhere/);
    setStorageThreadEntry(new URL('./thread.ts', import.meta.url));
    expect(await threads.run('integrity', { path })).toEqual({ problems: [] });
  } finally {
    await threads.close();
  }
});
