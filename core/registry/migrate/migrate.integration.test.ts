import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { silentLogger } from '../../kit/logger.ts';
import { createWriterRegistry, type WriterRegistry } from '../writers/registry.ts';
import { applyMigrations, migrationBackupPath } from './apply.ts';
import { planMigration } from './look.ts';
import { loadMigrations, type Migration } from './migrations.ts';

const STEPS = [
  ['0001-first.sql', 'CREATE TABLE runs (id TEXT PRIMARY KEY, goal TEXT NOT NULL) STRICT;'],
  ['0002-state.sql', "ALTER TABLE runs ADD COLUMN state TEXT NOT NULL DEFAULT 'queued';"],
  ['0003-entries.sql', 'CREATE TABLE entries (run TEXT NOT NULL REFERENCES runs (id), text TEXT) STRICT;'],
] as const;

let folder: string;
let path: string;
let registry: WriterRegistry;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-migrate-'));
  path = join(folder, 'project.db');
  for (const [name, sql] of STEPS) writeFileSync(join(folder, name), sql);
  registry = createWriterRegistry({
    clock: systemClock,
    logger: silentLogger,
    migrationsFor: () => loadMigrations(folder),
  });
});

afterEach(async () => {
  await registry.drainAll();
  rmSync(folder, { recursive: true, force: true });
});

const steps = (count: number): readonly Migration[] => loadMigrations(folder).slice(0, count);

/** Leaves a database at `version` with a row in it, closed. */
function makeDatabase(version: number): void {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  applyMigrations(db, steps(version));
  db.exec("INSERT INTO runs (id, goal) VALUES ('run_1', 'keep me')");
  db.close();
}

function inDatabase<T>(file: string, read: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

const versionOf = (file: string): number =>
  inDatabase(file, (db) => db.pragma('user_version', { simple: true }) as number);

/** Everything there is of the database: its files and their bytes. */
function fingerprint(): Record<string, string> {
  const files = readdirSync(folder).filter((name) => name.startsWith('project.db'));
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

test('case 44: an empty database gets all migrations and needs no backup', async () => {
  const acquired = await registry.acquire(path);
  expect(acquired).toMatchObject({ ok: true });
  if (acquired.ok) expect(acquired.value.db.get('PRAGMA user_version')).toEqual({ user_version: 3 });
  expect(existsSync(migrationBackupPath(path, 0))).toBe(false);
});

test.each([1, 2, 3])(
  'case 44: from version %i with rows → the newest, rows kept, a private backup of the old',
  async (version) => {
    makeDatabase(version);
    const acquired = await registry.acquire(path);
    if (!acquired.ok) throw new Error(acquired.error.message);
    expect(acquired.value.db.get('PRAGMA user_version')).toEqual({ user_version: 3 });
    expect(acquired.value.db.get('SELECT * FROM runs')).toEqual({ id: 'run_1', goal: 'keep me', state: 'queued' });
    const backup = migrationBackupPath(path, version);
    expect(existsSync(backup)).toBe(version < 3);
    if (version < 3) {
      expect(statSync(backup).mode & 0o777).toBe(0o600);
      expect(versionOf(backup)).toBe(version);
      expect(inDatabase(backup, (db) => db.prepare('SELECT goal FROM runs').all())).toEqual([{ goal: 'keep me' }]);
    }
  },
);

test.each(['wal', 'delete'])(
  'case 44: a newer version (journal mode %s) → storage_newer, every byte unchanged',
  async (mode) => {
    makeDatabase(3);
    const db = new Database(path);
    db.pragma(`journal_mode = ${mode}`);
    db.exec('ALTER TABLE runs ADD COLUMN later TEXT');
    db.pragma('user_version = 4');
    db.close();
    const before = fingerprint();
    const refused = await registry.acquire(path);
    expect(refused).toMatchObject({ ok: false, error: { code: 'storage_newer', path } });
    if (!refused.ok) expect(refused.error.message).toMatch(/version 4; this one knows up to 3/);
    expect(fingerprint()).toEqual(before);
  },
);

test('case 44: a newer version that is still in the log of a killed program → storage_newer, database unchanged', async () => {
  makeDatabase(3);
  const db = new Database(path);
  db.pragma('wal_autocheckpoint = 0');
  db.pragma('user_version = 4');
  const [main, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
  db.close();
  writeFileSync(path, main);
  writeFileSync(`${path}-wal`, log);
  expect(await registry.acquire(path)).toMatchObject({ ok: false, error: { code: 'storage_newer' } });
  expect(readFileSync(path).equals(main)).toBe(true);
  expect(readFileSync(`${path}-wal`).equals(log)).toBe(true);
});

test.each([
  ['tables without a version', 'CREATE TABLE other (x)', 0],
  ['a version without tables', '', 2],
  ['a negative version', 'CREATE TABLE runs (x)', -1],
])('case 44: %s → storage_corrupt with words, every byte unchanged', async (_, sql, version) => {
  const db = new Database(path);
  db.exec(sql);
  db.pragma(`user_version = ${String(version)}`);
  db.close();
  const before = fingerprint();
  const refused = await registry.acquire(path);
  expect(refused).toMatchObject({ ok: false, error: { code: 'storage_corrupt' } });
  if (!refused.ok) expect(refused.error.message).toMatch(/version/);
  expect(fingerprint()).toEqual(before);
});

test('case 44: a migration that fails leaves the old version, its rows and a working next try', async () => {
  makeDatabase(1);
  writeFileSync(join(folder, '0003-entries.sql'), 'CREATE TABLE entries (x) STRICT; INSERT INTO nowhere VALUES (1);');
  await expect(registry.acquire(path)).rejects.toThrow();
  expect(versionOf(path)).toBe(1);
  writeFileSync(join(folder, '0003-entries.sql'), STEPS[2][1]);
  expect(await registry.acquire(path)).toMatchObject({ ok: true });
});

test('case 44: a migration that breaks a reference or ends its transaction is not committed', () => {
  makeDatabase(3);
  const db = new Database(path);
  const broken = (sql: string): Migration[] => [...steps(3), { version: 4, name: 'broken', sql, sha256: '' }];
  expect(() => applyMigrations(db, broken("INSERT INTO entries VALUES ('run_none', 'x')"))).toThrow(/foreign key/);
  expect(() => applyMigrations(db, broken('ROLLBACK'))).toThrow(/ended the transaction/);
  expect(db.pragma('user_version', { simple: true })).toBe(3);
  expect(db.prepare('SELECT * FROM entries').all()).toEqual([]);
  db.close();
});

test.each([
  ['in the middle', 'SELECT pause()', 1],
  ['after the end', '', 3],
])('case 44: kill -9 %s → the old version or the new one, whole', async (_, last, expected) => {
  makeDatabase(1);
  writeFileSync(join(folder, '0003-entries.sql'), `${STEPS[2][1]} ${last};`);
  const program = `
    const [path, folder] = process.argv.slice(1);
    const { default: Database } = await import(${JSON.stringify(import.meta.resolve('better-sqlite3'))});
    const { applyMigrations } = await import(${JSON.stringify(new URL('./apply.ts', import.meta.url).href)});
    const { loadMigrations } = await import(${JSON.stringify(new URL('./migrations.ts', import.meta.url).href)});
    const { writeSync } = await import('node:fs');
    const wait = () => { writeSync(1, 'here\\n'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };
    const db = new Database(path);
    db.function('pause', wait);
    applyMigrations(db, loadMigrations(folder));
    wait();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, path, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(createInterface({ input: child.stdout }), 'line');
  child.kill('SIGKILL');
  await exited;
  expect(versionOf(path)).toBe(expected);
  writeFileSync(join(folder, '0003-entries.sql'), STEPS[2][1]);
  const acquired = await registry.acquire(path);
  if (!acquired.ok) throw new Error(acquired.error.message);
  expect(acquired.value.db.get('SELECT id, state FROM runs')).toEqual({ id: 'run_1', state: 'queued' });
  expect(acquired.value.db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
});

test('case 44: names that are wrong, missing or twice are refused when they are loaded', () => {
  writeFileSync(join(folder, '0005-gap.sql'), '');
  expect(() => loadMigrations(folder)).toThrow(/0005-gap/);
  rmSync(join(folder, '0005-gap.sql'));
  writeFileSync(join(folder, '4-short.sql'), '');
  expect(() => loadMigrations(folder)).toThrow(/4-short/);
});

test('case 44: what is no database is not taken for an empty one', () => {
  writeFileSync(path, 'x'.repeat(10_000));
  expect(() => planMigration(path, steps(3))).toThrow(/not a database/);
});
