import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { silentLogger } from '../../kit/logger.ts';
import { systemRandom } from '../../kit/random.ts';
import { ApiError } from '../../protocol/errors.ts';
import { packageRoot } from '../place/package-root.ts';
import { openFront } from '../serve/front.ts';
import { openOfflineClient } from './offline-client.ts';

const root = packageRoot(import.meta.dirname);
let home: string;
let project: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'offline-'));
  project = mkdtempSync(join(tmpdir(), 'project-'));
});

afterEach(() => {
  rmSync(home, { recursive: true });
  rmSync(project, { recursive: true });
});

/** A core that stores a set of two tasks and never starts them. */
async function storeSet(): Promise<{ conversation_id: string; delegation_id: string; run_ids: string[] }> {
  const opened = await openFront(
    {
      ...{ home, packageRoot: root, version: '0.0.0', environment: {}, unattendedMs: 0, warmWorkers: 0 },
      ...{ clock: systemClock, random: systemRandom, logger: silentLogger },
    },
    'test',
  );
  if (!opened.ok) throw new Error(opened.error.message);
  const { client } = opened.value;
  await client.runs.pause({ id: null });
  const { project_id } = await client.projects.add({ path: project });
  const batch = { title: 'Two commands', defaults: { agent: 'command' }, tasks: ['echo one two', 'echo three four'] };
  const answer = await client.batches.dispatch({ project_id, conversation_id: null, batch, client_token: 't' });
  await opened.value.close();
  return answer;
}

function open() {
  const opened = openOfflineClient(home, root);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

/** Names, sizes and times of everything in the data folder, without SQLite's own shared memory. */
function fingerprint(): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/-(shm|wal)$/.test(name) && statSync(join(home, name)).isFile())
    .map((name) => `${name} ${statSync(join(home, name)).size} ${statSync(join(home, name)).mtimeMs}`);
}

describe('a data folder without a core', () => {
  test('is read as it was stored, and nothing in it is changed', async () => {
    const stored = await storeSet();
    const before = fingerprint();
    const { client, close } = open();
    const [conversation] = await client.conversations.list({ all: false });
    expect(conversation).toMatchObject({ conversation_id: stored.conversation_id, title: 'Two commands', runs: 2 });
    const shown = await client.conversations.show({ id: stored.conversation_id });
    expect(shown.runs.map(({ run_id }) => run_id)).toEqual(stored.run_ids);
    expect(await client.sets.show({ id: stored.delegation_id })).toMatchObject({ set: { count: 2 }, result: null });
    const [run_id = ''] = stored.run_ids;
    expect((await client.runs.show({ id: run_id })).run.goal).toBe('echo one two');
    expect(await client.transcript.page({ run_id, from: 0, limit: 10 })).toEqual({ entries: [], entry_count: 0 });
    expect(await client.asks.list()).toEqual([]);
    expect((await client.settings.get()).defaultAgent).toBe('general');
    close();
    expect(fingerprint()).toEqual(before);
  });

  test('is empty when nothing was ever started in it', async () => {
    const { client, close } = open();
    expect(await client.conversations.list({ all: true })).toEqual([]);
    const thrown: unknown = await client.runs.show({ id: 'run_1' }).catch((error: unknown) => error);
    expect(ApiError.parse((thrown as { data: unknown }).data).code).toBe('not_found');
    close();
  });

  test('D6: a database of a newer version is told and not touched', async () => {
    await storeSet();
    const [id = ''] = readdirSync(join(home, 'projects'));
    const path = join(home, 'projects', id, 'project.db');
    const before = readFileSync(path);
    // https://www.sqlite.org/fileformat.html, 1.3: the user version.
    before.writeInt32BE(99, 60);
    writeFileSync(path, before);
    expect(openOfflineClient(home, root)).toMatchObject({
      ok: false,
      error: { code: 'storage', message: expect.stringContaining('newer') },
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
