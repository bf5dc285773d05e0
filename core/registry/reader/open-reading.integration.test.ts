import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMigrations } from '../migrate/migrations.ts';
import { openReading } from './open-reading.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-reading-'));
  writeFileSync(join(folder, '0001-first.sql'), 'CREATE TABLE t (n INTEGER) STRICT;');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

// As a core does while it recovers or closes: alone with the log. It lets go when it is told to, after so many milliseconds.
const ALONE = `
  const [module, path, ms] = process.argv.slice(1);
  const { default: Database } = await import(module);
  const db = new Database(path);
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE IF NOT EXISTS t (n INTEGER) STRICT; INSERT INTO t VALUES (7); PRAGMA user_version = 1');
  console.log('alone');
  if (Number(ms) > 0) setTimeout(() => db.close(), Number(ms));
  else process.stdin.once('end', () => db.close()).resume();
`;

async function alone(ms: number) {
  const module = new URL('../../../node_modules/better-sqlite3/lib/index.js', import.meta.url);
  const args = ['--input-type=module', '--eval', ALONE, fileURLToPath(module), join(folder, 'a.db'), String(ms)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return { child, exited };
}

test('D6: reading waits for a core that is just starting or closing and has the database for itself', async () => {
  const { exited } = await alone(400);
  const opened = openReading(join(folder, 'a.db'), loadMigrations(folder));
  expect(opened.ok && opened.value?.db.get('SELECT n FROM t')).toEqual({ n: 7 });
  if (opened.ok) opened.value?.close();
  await exited;
});

test('D6: what stays locked is said to be, and does not keep anybody for long', async () => {
  const { child, exited } = await alone(0);
  expect(openReading(join(folder, 'a.db'), loadMigrations(folder))).toMatchObject({ error: { code: 'storage_busy' } });
  child.stdin.end();
  await exited;
});
