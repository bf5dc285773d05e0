import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { silentLogger } from '../../kit/logger.ts';
import type { Result } from '../../kit/result.ts';
import type { WriterHandle } from './handle.ts';
import type { StorageHealth } from './health.ts';
import { createWriterRegistry, type WriterRegistry, type WriterRegistryOptions } from './registry.ts';

let folder: string;
let registries: WriterRegistry[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-writers-'));
  registries = [];
});

afterEach(async () => {
  for (const registry of registries) await registry.drainAll();
  rmSync(folder, { recursive: true, force: true });
});

function newRegistry(options: Partial<WriterRegistryOptions> = {}): WriterRegistry {
  const registry = createWriterRegistry({ clock: systemClock, logger: silentLogger, ...options });
  registries.push(registry);
  return registry;
}

function valueOf<T>(result: Result<T, { code: string; message: string }>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

async function holdWithTable(registry: WriterRegistry, path: string): Promise<WriterHandle> {
  const handle = valueOf(await registry.acquire(path));
  valueOf(await handle.write((db) => db.run('CREATE TABLE IF NOT EXISTS t (n INTEGER NOT NULL, b BLOB) STRICT')));
  return handle;
}

const add = (handle: WriterHandle, n: number): Promise<Result<unknown, { code: string; message: string }>> =>
  handle.write((db) => db.run('INSERT INTO t (n) VALUES (?)', n));

function numbersIn(path: string): number[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare('SELECT n FROM t ORDER BY rowid').pluck().all() as number[];
  } finally {
    db.close();
  }
}

test('case 42: one path twice, and by a symlinked file and folder, is one writer', async () => {
  const registry = newRegistry();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'linked'));
  symlinkSync(join(folder, 'real', 'a.db'), join(folder, 'alias.db'));
  const handles = await Promise.all(
    [join('linked', 'a.db'), join('real', 'a.db'), 'alias.db', join('real', '..', 'real', 'a.db')].map(async (path) =>
      valueOf(await registry.acquire(join(folder, path))),
    ),
  );
  expect(registry.stats().opened).toBe(1);
  expect(registry.stats().writers).toMatchObject([{ path: handles[0]?.path, holders: 4 }]);
  expect(new Set(handles.map((handle) => handle.path)).size).toBe(1);
});

test('case 42: one holder’s close leaves the others writing, and writes of all holders keep their order', async () => {
  const registry = newRegistry();
  const path = join(folder, 'a.db');
  const first = await holdWithTable(registry, path);
  const second = valueOf(await registry.acquire(path));
  valueOf(await add(first, 1));
  const last = add(first, 2);
  await first.close();
  await first.close();
  valueOf(await last);
  valueOf(await add(second, 3));
  expect(await add(first, 4)).toMatchObject({ ok: false, error: { code: 'storage_closed' } });
  expect(registry.stats().writers).toMatchObject([{ holders: 1 }]);
  await second.close();
  expect(registry.stats().writers).toEqual([]);
  expect(numbersIn(path)).toEqual([1, 2, 3]);
});

test('case 42: 50 openers at once open the file once', async () => {
  const registry = newRegistry();
  const path = join(folder, 'a.db');
  const handles = await Promise.all(Array.from({ length: 50 }, async () => valueOf(await registry.acquire(path))));
  expect(registry.stats()).toMatchObject({ opened: 1, writers: [{ holders: 50 }] });
  await Promise.all(handles.map((handle) => handle.close()));
  expect(registry.stats().writers).toEqual([]);
});

test('case 42: a file replaced → storage_replaced for old holders, a new generation for new ones, both drained', async () => {
  const registry = newRegistry();
  const path = join(folder, 'a.db');
  const old = await holdWithTable(registry, path);
  valueOf(await add(old, 1));
  const other = new Database(join(folder, 'other.db'));
  other.exec('CREATE TABLE t (n INTEGER NOT NULL, b BLOB) STRICT; INSERT INTO t (n) VALUES (100)');
  other.close();
  renameSync(join(folder, 'other.db'), path);
  const refused = await old.write((db) => db.run('INSERT INTO t (n) VALUES (2)'), { durability: 'full' });
  expect(refused).toMatchObject({ ok: false, error: { code: 'storage_replaced', path: old.path } });
  const fresh = valueOf(await registry.acquire(path));
  expect(fresh.generation).toBe(old.generation + 1);
  valueOf(await add(fresh, 101));
  expect(await add(old, 3)).toMatchObject({ ok: false, error: { code: 'storage_replaced' } });
  expect(old.read((db) => db.get('SELECT 1'))).toMatchObject({ ok: false, error: { code: 'storage_replaced' } });
  expect(readdirSync(folder).filter((name) => name.includes('-wal.replaced-'))).toHaveLength(1);
  await old.close();
  expect(await registry.drainAll()).toEqual([fresh.path]);
  expect(numbersIn(path)).toEqual([100, 101]);
});

test('case 42: a deleted file is noticed by the next opener, which gets a new file', async () => {
  const registry = newRegistry();
  const path = join(folder, 'a.db');
  const old = await holdWithTable(registry, path);
  rmSync(path);
  const fresh = await holdWithTable(registry, path);
  expect(fresh.generation).not.toBe(old.generation);
  expect(await add(old, 1)).toMatchObject({ ok: false, error: { code: 'storage_replaced' } });
  valueOf(await add(fresh, 2));
  await fresh.close();
  expect(numbersIn(path)).toEqual([2]);
});

test('case 42: a file that was moved away takes all its rows along, and is another writer under its new path', async () => {
  const registry = newRegistry();
  const path = join(folder, 'a.db');
  const old = await holdWithTable(registry, path);
  for (let n = 0; n < 10; n += 1) valueOf(await add(old, n));
  renameSync(path, join(folder, 'moved.db'));
  const moved = await holdWithTable(registry, join(folder, 'moved.db'));
  expect(moved.db.get('SELECT count(*) AS n FROM t')).toEqual({ n: 10 });
  expect(await add(old, 10)).toMatchObject({ ok: false, error: { code: 'storage_replaced' } });
});

test('case 42: a replaced file is noticed by ordinary writes within the look interval', async () => {
  let now = 0;
  const registry = newRegistry({ clock: { ...systemClock, monotonic: () => now } });
  const path = join(folder, 'a.db');
  const handle = await holdWithTable(registry, path);
  copyFileSync(path, join(folder, 'copy.db'));
  renameSync(join(folder, 'copy.db'), path);
  now += 100;
  expect(await add(handle, 1)).toMatchObject({ ok: false, error: { code: 'storage_replaced' } });
});

test('case 42: a failed opening leaves no entry and the next try works', async () => {
  const registry = newRegistry();
  const path = join(folder, 'a.db');
  mkdirSync(path);
  const failed = await Promise.all([registry.acquire(path), registry.acquire(path)]);
  for (const result of failed) expect(result).toMatchObject({ ok: false, error: { code: 'storage_io', path } });
  expect(registry.stats()).toEqual({ opened: 0, writers: [] });
  rmSync(path, { recursive: true });
  valueOf(await add(await holdWithTable(registry, path), 1));
});

test('case 42: the slow teardown of A (a log of 300 MB) delays neither B nor the loop', async () => {
  // No checkpoint while it is written, so that the whole log is left to the teardown.
  const registry = newRegistry({ checkpointBytes: Number.MAX_SAFE_INTEGER });
  const a = await holdWithTable(registry, join(folder, 'a.db'));
  const b = await holdWithTable(registry, join(folder, 'b.db'));
  const block = new Uint8Array(1024 * 1024);
  for (let part = 0; part < 300; part += 1) {
    valueOf(await a.write((db) => db.run('INSERT INTO t (n, b) VALUES (?, ?)', part, block)));
  }
  expect(statSync(`${a.path}-wal`).size).toBeGreaterThan(300 * 1024 * 1024);
  let tornDown = false;
  const closing = a.close().then(() => {
    tornDown = true;
  });
  let written = 0;
  let turns = 0;
  while (!tornDown) {
    if (turns % 10 === 0) {
      valueOf(await add(b, written));
      written += 1;
    }
    turns += 1;
    if (turns === 50) {
      // Another path can be opened and written to as well.
      valueOf(await add(await holdWithTable(registry, join(folder, 'c.db')), 1));
      expect(tornDown).toBe(false);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closing;
  expect(turns).toBeGreaterThan(100);
  expect(written).toBeGreaterThan(10);
  expect(existsSync(`${a.path}-wal`)).toBe(false);
  expect(numbersIn(a.path)).toHaveLength(300);
  expect(b.db.get('SELECT count(*) AS n FROM t')).toEqual({ n: written });
});

test('case 42: a path acquired while it is torn down is the same writer and goes on', async () => {
  const registry = newRegistry();
  const path = join(folder, 'a.db');
  const first = await holdWithTable(registry, path);
  const closing = first.close();
  await Promise.resolve();
  const second = valueOf(await registry.acquire(path));
  valueOf(await add(second, 1));
  await closing;
  valueOf(await add(second, 2));
  expect(second.generation).toBe(first.generation);
  expect(registry.stats()).toMatchObject({ opened: 1, writers: [{ holders: 1 }] });
});

test('D1: drainAll finishes accepted writes, refuses new ones and new holders, and closes every file', async () => {
  const registry = newRegistry();
  const handles = await Promise.all(['a.db', 'b.db'].map((name) => holdWithTable(registry, join(folder, name))));
  const accepted = handles.flatMap((handle) => Array.from({ length: 100 }, (_, n) => add(handle, n)));
  const drained = registry.drainAll();
  await drained;
  for (const write of accepted) valueOf(await write);
  expect(await registry.acquire(join(folder, 'a.db'))).toMatchObject({ ok: false, error: { code: 'storage_closed' } });
  expect(readdirSync(folder).sort()).toEqual(['a.db', 'b.db']);
  for (const handle of handles) {
    expect(await add(handle, 1)).toMatchObject({ ok: false, error: { code: 'storage_closed' } });
    expect(numbersIn(handle.path)).toHaveLength(100);
  }
});

test('D1: a throw in a transaction rolls it back and rejects; the next write works', async () => {
  const handle = await holdWithTable(newRegistry(), join(folder, 'a.db'));
  const broken = handle.write((db) => {
    db.run('INSERT INTO t (n) VALUES (1)');
    throw new Error('a bug');
  });
  await expect(broken).rejects.toThrow('a bug');
  await expect(handle.write((db) => db.run('INSERT INTO t (n) VALUES (NULL)'))).rejects.toThrow(/NOT NULL/);
  await expect(handle.write(async () => Promise.resolve(1))).rejects.toThrow(/synchronous/);
  valueOf(await add(handle, 2));
  expect(handle.db.all('SELECT n FROM t')).toEqual([{ n: 2 }]);
});

test('D1: writing is possible only inside a transaction, and a reading face refuses statements that write', async () => {
  const handle = await holdWithTable(newRegistry(), join(folder, 'a.db'));
  const kept = valueOf(await handle.write((db) => db));
  expect(() => kept.run('INSERT INTO t (n) VALUES (1)')).toThrow(/outside a transaction/);
  expect(() => handle.db.all('INSERT INTO t (n) VALUES (1) RETURNING n')).toThrow(/reading connection/);
});

test('D1: full durability is set for its transaction only', async () => {
  const handle = await holdWithTable(newRegistry(), join(folder, 'a.db'));
  const level = (durability: 'normal' | 'full'): Promise<Result<unknown, { code: string; message: string }>> =>
    handle.write((db) => db.get('PRAGMA synchronous'), { durability });
  expect(valueOf(await level('full'))).toEqual({ synchronous: 2 });
  expect(valueOf(await level('normal'))).toEqual({ synchronous: 1 });
});

test('D7: database files and new folders are private whatever the umask', async () => {
  const before = process.umask(0);
  try {
    const handle = await holdWithTable(newRegistry(), join(folder, 'deep', 'er', 'a.db'));
    for (const file of ['', '-wal', '-shm']) expect(statSync(handle.path + file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'deep', 'er')).mode & 0o777).toBe(0o700);
  } finally {
    process.umask(before);
  }
});

test('D6: a log over the limit is copied into its database by a thread and stays bounded', async () => {
  const limit = 256 * 1024;
  const registry = newRegistry({ checkpointBytes: limit });
  const handle = await holdWithTable(registry, join(folder, 'a.db'));
  const block = new Uint8Array(16 * 1024);
  const total = 4_000;
  let largest = 0;
  for (let n = 0; n < total; n += 1) {
    valueOf(await handle.write((db) => db.run('INSERT INTO t (n, b) VALUES (?, ?)', n, block)));
    largest = Math.max(largest, statSync(`${handle.path}-wal`).size);
    await new Promise((resolve) => setImmediate(resolve));
  }
  // 64 MB were written.
  expect(largest).toBeLessThan(32 * 1024 * 1024);
  expect(handle.db.get('SELECT count(*) AS n FROM t')).toEqual({ n: total });
});

test('case 43: an outside lock is waited for without blocking, nothing is lost, and it is told once', async () => {
  const health: StorageHealth[] = [];
  const registry = newRegistry({ onHealth: (change) => health.push(change) });
  const path = join(folder, 'a.db');
  const handle = await holdWithTable(registry, path);
  const outside = new Database(path);
  outside.exec('BEGIN IMMEDIATE');
  const writes = Array.from({ length: 50 }, (_, n) => add(handle, n));
  let turns = 0;
  while (!health.some((change) => change.state === 'busy')) {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(turns).toBeGreaterThan(100);
  expect(handle.db.all('SELECT n FROM t')).toEqual([]);
  outside.exec('COMMIT');
  outside.close();
  for (const write of writes) valueOf(await write);
  expect(health.map((change) => [change.state, change.error?.code])).toEqual([
    ['busy', 'storage_busy'],
    ['ok', undefined],
  ]);
  expect(numbersIn(path)).toEqual(Array.from({ length: 50 }, (_, n) => n));
});

test('case 43: opening waits for an outside lock; drainAll can give up on writes that wait for one', async () => {
  const registry = newRegistry();
  const path = join(folder, 'a.db');
  const outside = new Database(path);
  outside.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE t (n INTEGER NOT NULL, b BLOB) STRICT');
  let opened = false;
  const acquiring = registry.acquire(path).then((result) => {
    opened = true;
    return valueOf(result);
  });
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(opened).toBe(false);
  outside.exec('COMMIT');
  outside.close();
  const handle = await acquiring;
  const second = new Database(path);
  second.exec('BEGIN IMMEDIATE');
  const waiting = add(handle, 1);
  await registry.drainAll({ giveUpAfterMs: 1 });
  second.close();
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'storage_busy' } });
});

test('D6: a database that is full → storage_full, told once, nothing half written; goes on when there is room', async () => {
  const health: StorageHealth[] = [];
  const registry = newRegistry({ onHealth: (change) => health.push(change) });
  const handle = await holdWithTable(registry, join(folder, 'a.db'));
  valueOf(await handle.write((db) => db.get('PRAGMA max_page_count = 10')));
  const fill = (): Promise<Result<unknown, { code: string; message: string }>> =>
    handle.write((db) => {
      db.run('INSERT INTO t (n) VALUES (1)');
      db.run('INSERT INTO t (n, b) VALUES (2, zeroblob(100000))');
    });
  for (let tries = 0; tries < 3; tries += 1) {
    expect(await fill()).toMatchObject({ ok: false, error: { code: 'storage_full' } });
  }
  expect(handle.db.all('SELECT n FROM t')).toEqual([]);
  valueOf(await handle.write((db) => db.get('PRAGMA max_page_count = 1000')));
  valueOf(await fill());
  expect(health.map((change) => change.error?.code)).toEqual(['storage_full', undefined]);
});

test('D6: something that is no database → storage_corrupt', async () => {
  const path = join(folder, 'a.db');
  copyFileSync(new URL(import.meta.url), path);
  expect(await newRegistry().acquire(path)).toMatchObject({ ok: false, error: { code: 'storage_corrupt' } });
});
