import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { silentLogger } from '../../kit/logger.ts';
import { lockOutside } from '../../testing/outside-lock.ts';
import type { WriterHandle } from './handle.ts';
import { createWriterRegistry, type WriterRegistry } from './registry.ts';

const LIMIT = 256 * 1024;
const BLOCK = new Uint8Array(16 * 1024);

let folder: string;
let registry: WriterRegistry;
let handle: WriterHandle;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-long-'));
  registry = createWriterRegistry({ clock: systemClock, logger: silentLogger, checkpointBytes: LIMIT });
  const opened = await registry.acquire(join(folder, 'a.db'));
  if (!opened.ok) throw new Error(opened.error.message);
  handle = opened.value;
  await handle.write((db) => db.run('CREATE TABLE t (n INTEGER PRIMARY KEY, b BLOB) STRICT'));
});

afterEach(async () => {
  await registry.drainAll();
  rmSync(folder, { recursive: true, force: true });
});

const log = (): number => statSync(`${handle.path}-wal`).size;

async function put(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    expect((await handle.write((db) => db.run('INSERT INTO t (b) VALUES (?)', BLOCK))).ok).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('D6: beside a reader that does not end the log holds what was written since and no more; when it has ended, the log starts again and stays small', async () => {
  const reader = new Database(handle.path, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM t').get();
  await put(800);
  const written = 800 * BLOCK.length;
  const beside = log();
  // Each page is in it once, with its header, the inner pages of the tree and the page that says which page belongs to which: not again and
  // again, by a copying that never comes to an end.
  expect(beside).toBeGreaterThan(written);
  expect(beside).toBeLessThan(written * 2);
  reader.exec('COMMIT');
  reader.close();
  // It is asked for again after as much growth once more; then the log is used from its beginning, and does not grow.
  for (let rounds = 0; rounds < 40 && log() >= beside; rounds += 1) await put(50);
  const after = log();
  await put(400);
  expect(log()).toBeLessThanOrEqual(Math.max(after, beside) + 16 * LIMIT);
  expect(handle.db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
});

test('case 43, D1: while another program holds the lock, the loop turns, reads answer from the last commit, and no try blocks', async () => {
  await put(3);
  await using lock = await lockOutside(handle.path);
  const waiting = Array.from({ length: 20 }, () => handle.write((db) => db.run('INSERT INTO t (b) VALUES (?)', BLOCK)));
  let turns = 0;
  for (; turns < 2000; turns += 1) {
    expect(handle.read((db) => db.get('SELECT count(*) AS n FROM t'))).toEqual({ ok: true, value: { n: 3 } });
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Everything that was accepted is still waiting: nothing was given up, nothing was said to be stored.
  expect(registry.stats().writers[0]?.pending).toBe(20);
  await lock.release();
  for (const write of await Promise.all(waiting)) expect(write.ok).toBe(true);
  expect(handle.db.get('SELECT count(*) AS n FROM t')).toEqual({ n: 23 });
});
