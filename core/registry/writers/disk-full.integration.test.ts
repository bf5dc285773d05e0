import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-full-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

// Runs in a mount namespace of its own, where `folder` is a file system of 8 MB. Where the machine gives no such
// namespace (`limit` set), SQLite's own page limit takes the disk's part.
const PROGRAM = `
  const [folder, limit] = process.argv.slice(1);
  const { rmSync, writeFileSync } = await import('node:fs');
  const at = (path) => new URL(path, ${JSON.stringify(import.meta.url)}).href;
  const { createWriterRegistry } = await import(at('./registry.ts'));
  const { systemClock } = await import(at('../../kit/clock.ts'));
  const logged = [];
  const log = (fields, message) => logged.push(message);
  const logger = { debug: log, info: log, warn: log, error: log };
  const health = [];
  const registry = createWriterRegistry({ clock: systemClock, logger, onHealth: (change) => health.push(change.error?.code ?? 'ok') });
  writeFileSync(folder + '/other', new Uint8Array(5 * 1024 * 1024));
  const acquired = await registry.acquire(folder + '/a.db');
  const handle = acquired.value;
  const block = new Uint8Array(64 * 1024);
  await handle.write((db) => { db.run('CREATE TABLE t (n INTEGER, b BLOB) STRICT'); });
  if (limit) await handle.write((db) => db.get('PRAGMA max_page_count = 1000'));
  let accepted = 0;
  const put = async () => {
    const written = await handle.write((db) => db.run('INSERT INTO t VALUES (?, ?)', accepted, block));
    if (written.ok) accepted += 1;
    return written.ok ? 'ok' : written.error.code;
  };
  let outcome = 'ok';
  while (outcome === 'ok') outcome = await put();
  const again = [];
  for (let n = 0; n < 100; n += 1) again.push(await put());
  rmSync(folder + '/other');
  if (limit) await handle.write((db) => db.get('PRAGMA max_page_count = 100000'));
  const after = await put();
  const kept = handle.db.get('SELECT count(*) AS n FROM t').n;
  const sound = handle.db.get('PRAGMA integrity_check').integrity_check;
  await registry.drainAll();
  console.log(JSON.stringify({ outcome, again: [...new Set(again)], after, lost: accepted - kept, sound, health, logged }));
`;

test('D6: disk full → storage_full, one report and one log line a burst, nothing accepted is lost, goes on when space is freed', () => {
  const isolated = process.platform === 'linux' && spawnSync('unshare', ['-mr', 'true']).status === 0;
  const node = [process.execPath, '--input-type=module', '--eval', PROGRAM, folder];
  const mount = `mount -t tmpfs -o size=8m tmpfs "$0" && exec "$@"`;
  const ran = isolated
    ? spawnSync('unshare', ['-mr', 'sh', '-c', mount, folder, ...node], { encoding: 'utf8' })
    : spawnSync(process.execPath, [...node.slice(1), 'limit'], { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  expect(JSON.parse(ran.stdout)).toEqual({
    outcome: 'storage_full',
    again: ['storage_full'],
    after: 'ok',
    lost: 0,
    sound: 'ok',
    health: ['storage_full', 'ok'],
    logged: ['storage trouble', 'storage works again'],
  });
});
