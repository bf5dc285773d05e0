import { chmodSync, copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { createReader } from '../../registry/reader/reader.ts';
import { CoreLab } from '../../testing/core-lab.ts';
import { checkStorage, type Check } from './check-storage.ts';

async function check(home: string): Promise<Check[]> {
  const reader = createReader(systemClock);
  try {
    return await checkStorage(home, reader);
  } finally {
    await reader.close();
  }
}

const bad = (checks: readonly Check[]): Check[] => checks.filter(({ ok }) => !ok);

test('doctor: a sound data folder is well while its core is at work, which is named as the holder; afterwards it is nobody’s', async () => {
  await using lab = await CoreLab.open();
  chmodSync(lab.git.data, 0o700);
  await lab.run('echo words to look for', { defaults: { isolation: 'none' } });
  const held = await check(lab.git.data);
  expect(bad(held)).toEqual([]);
  expect(held.find(({ name }) => name === 'lock')?.detail).toBe(`held by the core in process ${String(process.pid)}`);
  expect(held.filter(({ name }) => name === 'database')).toHaveLength(2);
  await lab.leave({ endAll: true });
  expect((await check(lab.git.data)).find(({ name }) => name === 'lock')?.detail).toBe('no core runs');
});

test('doctor, D7: what others could read is named, with the command that closes it', async () => {
  await using lab = await CoreLab.open();
  await lab.project();
  chmodSync(lab.git.data, 0o755);
  chmodSync(join(lab.git.data, 'app.db'), 0o644);
  const found = bad(await check(lab.git.data));
  expect(found.map(({ name }) => name)).toEqual(['data folder', 'file modes']);
  expect(found[1]?.detail).toContain('app.db can be read by others. Close: chmod -R go-rwx');
});

test('doctor: a damaged file is found and not touched, with what to do; what was left of a replaced one is told', async () => {
  await using lab = await CoreLab.open();
  chmodSync(lab.git.data, 0o700);
  await lab.run('echo words to look for', { defaults: { isolation: 'none' } });
  const folder = join(lab.git.data, 'projects', await lab.project());
  await lab.leave({ endAll: true });
  const path = join(folder, 'project.db');
  copyFileSync(path, join(folder, 'project.db.v1.bak'));
  chmodSync(join(folder, 'project.db.v1.bak'), 0o600);
  writeFileSync(join(folder, 'project.db-wal.replaced-1'), '', { mode: 0o600 });
  truncateSync(path, readFileSync(path).length - 2 * 4096);
  const before = readFileSync(path);
  const checks = await check(lab.git.data);
  const [damaged] = bad(checks);
  expect(bad(checks)).toHaveLength(1);
  expect(damaged?.detail).toContain(path);
  expect(damaged?.detail).toMatch(/put a backup in its place|restore a backup/);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(checks.find(({ name }) => name === 'left over')?.detail).toContain('project.db-wal.replaced-1');
  mkdirSync(join(lab.git.data, 'worktrees', 'r', 'w'), { recursive: true });
  expect((await check(lab.git.data)).find(({ name }) => name === 'worktrees')?.detail).toContain('1 kept');
});

test('doctor: what is no database in the place of one is named alone; a data folder that does not exist yet is no fault', async () => {
  await using lab = await CoreLab.open();
  chmodSync(lab.git.data, 0o700);
  await lab.project();
  await lab.leave({ endAll: true });
  const path = join(lab.git.data, 'app.db');
  truncateSync(path, 5000);
  writeFileSync(path, 'garbage', { flag: 'r+' });
  const found = bad(await check(lab.git.data));
  expect(found).toHaveLength(1);
  expect(found[0]?.detail).toContain(path);
  expect(await check(join(lab.git.data, 'none'))).toMatchObject([{ ok: true }]);
});
