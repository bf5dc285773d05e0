import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../kit/clock.ts';
import { connectLocal } from '../../serve/connect-local.ts';
import { createReader } from '../../../registry/reader/reader.ts';
import { createWriterRegistry } from '../../../registry/writers/registry.ts';
import { silentLogger } from '../../../kit/logger.ts';
import type { AppRow } from '../../../protocol/rows.ts';
import { CoreLab, isAlive, value } from '../../../testing/core-lab.ts';
import { lockOutside } from '../../../testing/outside-lock.ts';
import { until } from '../../../testing/process-trees.ts';

const CALLER = { client: 'test' };
const OPEN = { defaults: { isolation: 'none' } } as const;

const app = (lab: CoreLab): Promise<AppRow> => lab.service.app.info(undefined as never, CALLER).then(value);
const hasBanner = (lab: CoreLab, wanted: boolean, words = '') =>
  until(`the banner ${wanted ? 'to come' : 'to go'}`, async () => {
    const { storage_banner } = await app(lab);
    return (storage_banner !== null) === wanted && (storage_banner ?? '').includes(words);
  });
const database = async (lab: CoreLab): Promise<string> =>
  join(lab.git.data, 'projects', await lab.project(), 'project.db');

async function backupOf(path: string): Promise<string> {
  const reader = createReader(systemClock);
  value((await reader.backup(path, `${path}.copy`)) as never);
  await reader.close();
  return `${path}.copy`;
}

test('case 43, B20: another program locks the database: the core answers and says so, what is dispatched and stopped is carried out after it, in order', async () => {
  await using lab = await CoreLab.open();
  const go = join(lab.git.root, 'go');
  const first = await lab.dispatch(
    [`echo begun; until [ -e '${go}' ]; do sleep 0.05; done; echo done`, 'sleep 600'],
    OPEN,
  );
  const [begun = '', endless = ''] = first.run_ids;
  await lab.rowWhen(begun, 'it to print', ({ activity }) => activity !== null);
  await lab.rowWhen(endless, 'it to be at work', ({ state }) => state === 'running');
  await using lock = await lockOutside(await database(lab));
  const dispatched = Array.from({ length: 5 }, () => lab.dispatch(['echo a', 'echo b', 'echo c', 'echo d'], OPEN));
  const stopped = lab.stop(endless);
  writeFileSync(go, '');
  await hasBanner(lab, true, 'Another program holds a lock');
  // History, lists and settings are there all the while.
  expect(value(await lab.service.conversations.list({ all: true }, CALLER))).toHaveLength(1);
  const page = await lab.service.transcript.page({ run_id: begun, from: 0, limit: 9 }, CALLER);
  expect(
    value(page)
      .entries.map(({ text }) => text)
      .join(),
  ).toContain('begun');
  // Nothing is shown as ended that is not stored.
  expect((await lab.row(begun)).state).not.toBe('ended');
  await lock.release();
  await hasBanner(lab, false);
  await stopped;
  const sets = await Promise.all(dispatched);
  const results = await Promise.all(sets.map((set) => lab.ended(set)));
  expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'completed'));
  expect(
    sets.map(({ conversation_id }) => conversation_id).filter((id, at, all) => all.indexOf(id) === at),
  ).toHaveLength(5);
  expect((await lab.ended(first)).results.map(({ status }) => status)).toEqual(['completed', 'stopped']);
  const reader = createReader(systemClock);
  expect(await reader.integrityCheck(await database(lab))).toEqual({ ok: true, value: [] });
  await reader.close();
});

test('case 43, D6: app.db is locked by another program when a core starts → clients and its host are told why, and it comes up when the lock is gone', async () => {
  await using lab = await CoreLab.open();
  const project = await lab.project();
  await lab.leave();
  await using lock = await lockOutside(join(lab.git.data, 'app.db'));
  const told: (string | null)[] = [];
  const hosting = lab.host({ onObstacle: (words) => told.push(words) });
  await until('the words', () => told.length > 0);
  expect(told).toEqual([expect.stringContaining('Another program holds a lock')]);
  const refused = { ok: false, error: { code: 'starting', message: expect.stringContaining('Another program holds') } };
  expect(await connectLocal(lab.git.data, 'test')).toMatchObject(refused);
  await lock.release();
  await hosting;
  expect(told.at(-1)).toBe(null);
  expect(value(await lab.service.projects.list(undefined as never, CALLER))).toMatchObject([{ project_id: project }]);
  await hasBanner(lab, false);
});

test('D6: a project’s database moved away while a run is at work → banner, the run goes on; put back, its whole transcript is stored without a restart', async () => {
  await using lab = await CoreLab.open();
  const go = join(lab.git.root, 'go');
  const set = await lab.dispatch([`echo one; until [ -e '${go}' ]; do sleep 0.05; done; echo two`], OPEN);
  const [run = ''] = set.run_ids;
  await lab.rowWhen(run, 'it to print', ({ activity }) => activity !== null);
  const path = await database(lab);
  renameSync(path, `${path}.away`);
  writeFileSync(go, '');
  await hasBanner(lab, true, 'Put it back');
  expect(await lab.service.runs.show({ id: run }, CALLER)).toMatchObject({ ok: false, error: { code: 'storage' } });
  expect(value(await lab.service.conversations.list({ all: true }, CALLER))).toEqual([]);
  renameSync(`${path}.away`, path);
  await hasBanner(lab, false);
  expect(await lab.result(set)).toMatchObject({ status: 'completed' });
  const { entries } = value(await lab.service.transcript.page({ run_id: run, from: 0, limit: 9 }, CALLER));
  expect(
    entries
      .slice(1)
      .map(({ text }) => text)
      .join(''),
  ).toBe('one\ntwo\n');
});

test('D6: an older backup is put in the place of the database → what is at work and unknown to it is ended, its own runs are settled, places come back', async () => {
  await using lab = await CoreLab.open();
  lab.settings({ limits: { concurrency: 2 } });
  await lab.leave();
  await lab.host();
  const before = await lab.run('echo kept', OPEN);
  const path = await database(lab);
  const backup = await backupOf(path);
  const set = await lab.dispatch(['sleep 600', 'sleep 601', 'sleep 602'], OPEN);
  const rows = await Promise.all(
    set.run_ids.slice(0, 2).map((run) => lab.rowWhen(run, 'it to be at work', ({ state }) => state === 'running')),
  );
  renameSync(path, `${path}.away`);
  copyFileSync(backup, path);
  const refused = lab.service.runs.steer(
    { run_id: set.run_ids[0] ?? '', text: 'x', mode: 'steer', client_token: 't' },
    CALLER,
  );
  expect((await refused).ok).toBe(false);
  for (const { pid } of rows) await until('its worker to end', async () => !(await isAlive(pid ?? 0)));
  await until('places to come back', async () => (await app(lab)).at_work === 0);
  const listed = value(await lab.service.conversations.list({ all: true }, CALLER));
  expect(listed.map(({ conversation_id }) => conversation_id)).not.toContain(set.conversation_id);
  expect(value(await lab.service.runs.show({ id: before.run_id }, CALLER)).run.outcome).toBe('completed');
  expect(await lab.run('echo again', OPEN)).toMatchObject({ status: 'completed' });
  await hasBanner(lab, false);
});

test('D6: app.db deleted under us is written anew with all that the core knows; the next core has it', async () => {
  await using lab = await CoreLab.open();
  const first = await lab.project();
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(lab.git.data, `app.db${suffix}`), { force: true });
  const other = join(lab.git.root, 'other');
  mkdirSync(other);
  const second = value(await lab.service.projects.add({ path: other }, CALLER)).project_id;
  await hasBanner(lab, false);
  await lab.leave();
  await lab.host();
  const known = value(await lab.service.projects.list(undefined as never, CALLER)).map(({ project_id }) => project_id);
  expect(known.sort()).toEqual([first, second].sort());
});

test('case 44, B22: one project’s database of a newer build → told in the banner, not a byte of it changed, other projects work; the right one back, it opens', async () => {
  await using lab = await CoreLab.open();
  await lab.run('echo here', OPEN);
  const path = await database(lab);
  await lab.leave();
  copyFileSync(path, `${path}.right`);
  const registry = createWriterRegistry({ clock: systemClock, logger: silentLogger });
  const opened = await registry.acquire(path);
  if (!opened.ok) throw new Error(opened.error.message);
  await opened.value.write((db) => db.run('PRAGMA user_version = 99'));
  await registry.drainAll();
  const files = (): unknown => {
    const folder = join(path, '..');
    const names = readdirSync(folder).filter((name) => name.startsWith('project.db'));
    return names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]);
  };
  const before = files();
  await lab.host();
  const input = { project_id: await lab.project(), conversation_id: null, batch: ['echo no'], client_token: 'x' };
  const refused = await lab.service.batches.dispatch({ ...input, options: { agent: 'command' } }, CALLER);
  expect(refused).toMatchObject({ ok: false, error: { code: 'storage' } });
  expect(value(await lab.service.conversations.list({ all: true }, CALLER))).toEqual([]);
  await hasBanner(lab, true, 'written by a newer Espalier');
  const other = mkdtempSync(join(tmpdir(), 'espalier-other-'));
  const { project_id } = value(await lab.service.projects.add({ path: other }, CALLER));
  const accepted = await lab.service.batches.dispatch({ ...input, project_id, options: { agent: 'command' } }, CALLER);
  expect(await lab.ended(value(accepted))).toMatchObject({ status: 'completed' });
  expect(files()).toEqual(before);
  renameSync(`${path}.right`, path);
  expect(value(await lab.service.conversations.list({ all: true }, CALLER))).toHaveLength(2);
  await hasBanner(lab, false);
  rmSync(other, { recursive: true });
});
