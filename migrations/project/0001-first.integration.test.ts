import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../core/kit/clock.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { loadMigrations } from '../../core/registry/migrate/migrations.ts';
import type { WriteDb } from '../../core/registry/writers/db.ts';
import type { WriterHandle } from '../../core/registry/writers/handle.ts';
import { createWriterRegistry } from '../../core/registry/writers/registry.ts';

const MIGRATIONS = loadMigrations(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), 'espalier-project-'));
const registry = createWriterRegistry({ clock: systemClock, logger: silentLogger, migrationsFor: () => MIGRATIONS });
let databases = 0;
let handle: WriterHandle;

beforeEach(async () => {
  const opened = await registry.acquire(join(folder, `project-${(databases += 1)}.db`));
  if (!opened.ok) throw new Error(opened.error.message);
  handle = opened.value;
  await handle.write((db) => {
    db.run("INSERT INTO conversations (conversation_id, updated_at, row) VALUES ('c', 1, '{}')");
    db.run("INSERT INTO runs (run_id, conversation_id, state, row, task) VALUES ('r', 'c', 'queued', '{}', '{}')");
  });
});

afterAll(async () => {
  await registry.drainAll();
  rmSync(folder, { recursive: true, force: true });
});

const set = (db: WriteDb, id: string, number: number, call: string | null): unknown =>
  db.run(
    "INSERT INTO sets (delegation_id, conversation_id, set_number, parent_run_id, parent_call_id, row) VALUES (?, 'c', ?, 'r', ?, '{}')",
    id,
    number,
    call,
  );

test('L1: a set number is given once in a conversation', async () => {
  await handle.write((db) => set(db, 'a', 1, null));
  await expect(handle.write((db) => set(db, 'b', 1, null))).rejects.toThrow(/UNIQUE/);
});

test('P7: the same call of a run never makes a second set; sets without a call are not held together', async () => {
  await handle.write((db) => {
    set(db, 'a', 1, 'call');
    set(db, 'b', 2, null);
    set(db, 'c', 3, null);
  });
  await expect(handle.write((db) => set(db, 'd', 4, 'call'))).rejects.toThrow(/UNIQUE/);
});

test('D4: an ask of a worker is stored once', async () => {
  const ask = (db: WriteDb, id: string): unknown =>
    db.run(
      "INSERT INTO asks (ask_id, run_id, conversation_id, key, state, row) VALUES (?, 'r', 'c', 'k', 'open', '{}')",
      id,
    );
  await handle.write((db) => ask(db, 'a'));
  await expect(handle.write((db) => ask(db, 'b'))).rejects.toThrow(/UNIQUE/);
});

test('D7: with a conversation goes everything that hangs on it', async () => {
  await handle.write((db) => {
    set(db, 'a', 1, null);
    db.run("INSERT INTO entries (run_id, entry, at, meta) VALUES ('r', 0, 1, '{}')");
    db.run(
      "INSERT INTO attempts (attempt_id, run_id, n, state, started_at, token_hash) VALUES ('t', 'r', 1, 'started', 1, 'h')",
    );
    db.run(
      "INSERT INTO steers (steer_id, run_id, conversation_id, state, row) VALUES ('s', 'r', 'c', 'accepted', '{}')",
    );
    db.run("INSERT INTO calls (run_id, call_id, tool, arguments) VALUES ('r', 'k', 't', '{}')");
    db.run("DELETE FROM conversations WHERE conversation_id = 'c'");
  });
  const left = ['sets', 'runs', 'entries', 'attempts', 'steers', 'calls'].map((table) =>
    handle.db.get(`SELECT 1 FROM ${table}`),
  );
  expect(left).toEqual(left.map(() => undefined));
});

test('a row of a run that does not exist is refused', async () => {
  const orphan = handle.write((db) => db.run("INSERT INTO entries (run_id, entry, at, meta) VALUES ('x', 0, 1, '{}')"));
  await expect(orphan).rejects.toThrow(/FOREIGN KEY/);
});
