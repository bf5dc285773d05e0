import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { silentLogger } from '../../kit/logger.ts';
import { DelegationWorld, testReport } from '../../testing/delegation.ts';
import { loadMigrations } from '../migrate/migrations.ts';
import type { WriterHandle } from '../writers/handle.ts';
import { createWriterRegistry } from '../writers/registry.ts';
import { countEntries, readEntries, readOpenEntries } from './entries.ts';
import {
  findConversation,
  isGranted,
  readGrants,
  readConversation,
  readConversations,
  readLiveConversations,
  readOpenAsks,
  readOutbox,
  readReceipt,
} from './read-rows.ts';
import type { EntryWrite, StoreWrite } from './records.ts';
import { writeRows } from './write-rows.ts';

const MIGRATIONS = loadMigrations(join(import.meta.dirname, '..', '..', '..', 'migrations', 'project'));

const folder = mkdtempSync(join(tmpdir(), 'espalier-store-'));
const registry = createWriterRegistry({ clock: systemClock, logger: silentLogger, migrationsFor: () => MIGRATIONS });
let databases = 0;
let handle: WriterHandle;

beforeEach(async () => {
  const opened = await registry.acquire(join(folder, `project-${(databases += 1)}.db`));
  if (!opened.ok) throw new Error(opened.error.message);
  handle = opened.value;
});

afterAll(async () => {
  await registry.drainAll();
  rmSync(folder, { recursive: true, force: true });
});

const NOTHING: StoreWrite = {
  at: 9,
  events: [],
  conversations: [],
  removedConversations: [],
  sets: [],
  runs: [],
  attempts: [],
  committed: new Map(),
  steers: [],
  asks: [],
  calls: [],
  deliveries: [],
  holds: [],
  usage: [],
  entries: [],
  receipts: [],
  grants: [],
  revoked: [],
  outboxAdded: [],
  outboxDone: [],
};

async function write(change: Partial<StoreWrite>): Promise<void> {
  const written = await handle.write((db) => writeRows(db, { ...NOTHING, ...change }));
  if (!written.ok) throw new Error(written.error.message);
}

/** A conversation with two runs, one of which asks, as one write. */
function conversation(): { write: StoreWrite; run: string; other: string } {
  const world = new DelegationWorld();
  const [run = '', other = ''] = world.dispatch(2).run_ids;
  world.begin();
  world.tell(run, { type: 'ask', key: 'k', kind: 'permission', title: 't', tool: 'bash', detail: 'ls', diff: null });
  world.delegate(other, 'c1', 1, false);
  world.tell(other, { type: 'progress', progress: testReport().progress });
  const { tree } = world;
  return {
    run,
    other,
    write: {
      ...NOTHING,
      events: world.events.map((event) => ({ conversation_id: tree.conversation.conversation_id, event })),
      conversations: [tree.conversation],
      sets: [...tree.sets.values()],
      runs: [...tree.runs.values()].flatMap((row) => {
        const facts = tree.facts.get(row.run_id);
        return facts === undefined ? [] : [{ row, ...facts }];
      }),
      asks: [...tree.asks.values()],
      calls: [...tree.calls.values()],
    },
  };
}

test('T7: what is written is read back as it was, in its order', async () => {
  const { write: rows } = conversation();
  await write(rows);
  const stored = readConversation(handle.db, 'conv_000000000001');
  expect(stored?.conversation).toEqual(rows.conversations[0]);
  expect(stored?.sets).toEqual(rows.sets);
  expect(stored?.runs.map(({ row }) => row)).toEqual(rows.runs.map(({ row }) => row));
  expect(stored?.runs.map(({ task }) => task)).toEqual(rows.runs.map(({ task }) => task));
  expect(stored?.asks).toEqual(rows.asks);
  expect(stored?.calls.map(({ call_id, answer }) => [call_id, answer?.is_error])).toEqual([['c1', false]]);
  expect(readConversation(handle.db, 'conv_ffffffffffff')).toBeNull();
});

test('D3: a transaction that is written twice leaves the same rows', async () => {
  const { write: rows } = conversation();
  await write(rows);
  const once = readConversation(handle.db, 'conv_000000000001');
  await write({ ...rows, events: [] });
  expect(readConversation(handle.db, 'conv_000000000001')).toEqual(once);
});

test('ids are found: run, set, conversation, ask; anything else is not', async () => {
  const { write: rows, run } = conversation();
  await write(rows);
  const ids = [run, rows.sets[0]?.delegation_id ?? '', 'conv_000000000001', rows.asks[0]?.row.ask_id ?? ''];
  expect(ids.map((id) => findConversation(handle.db, id))).toEqual(ids.map(() => 'conv_000000000001'));
  expect(findConversation(handle.db, 'run_ffffffffffff')).toBeNull();
});

test('D5: live conversations and open asks are found at the start', async () => {
  const { write: rows } = conversation();
  await write(rows);
  expect(readLiveConversations(handle.db)).toEqual(['conv_000000000001']);
  expect(readOpenAsks(handle.db)).toEqual(rows.asks.map(({ row }) => row));
  await write({ runs: rows.runs.map((record) => ({ ...record, row: { ...record.row, state: 'ended' } })) });
  expect(readLiveConversations(handle.db)).toEqual([]);
});

test('the latest conversation comes first', async () => {
  const { write: rows } = conversation();
  const [row] = rows.conversations;
  if (row === undefined) throw new Error('no row');
  await write({
    conversations: [row, { ...row, conversation_id: 'conv_000000000002', updated_at: row.updated_at + 1 }],
  });
  expect(readConversations(handle.db).map(({ conversation_id }) => conversation_id)).toEqual([
    'conv_000000000002',
    'conv_000000000001',
  ]);
});

test('S7: the first answer of a token stays', async () => {
  for (const answer of [{ set: 1 }, { set: 2 }]) await write({ receipts: [{ client_token: 't', answer }] });
  expect(readReceipt(handle.db, 't')).toEqual({ set: 1 });
  expect(readReceipt(handle.db, 'u')).toBeUndefined();
});

describe('A2: consent', () => {
  test.each([
    ['run', 'r1', 'bash', 'rm x', true],
    ['run', 'r2', 'bash', 'rm x', false],
    ['run', 'r1', 'edit', 'rm x', false],
    ['project', 'p1', 'bash', 'npm test', true],
    ['project', 'p1', 'bash', 'npm publish', false],
  ] as const)('%s %s, %s “%s” → %s', async (scope, scope_id, tool, detail, granted) => {
    await write({
      grants: [
        { scope: 'run', scope_id: 'r1', tool: 'bash', detail: '*' },
        { scope: 'project', scope_id: 'p1', tool: 'bash', detail: 'npm test' },
      ],
    });
    expect(isGranted(handle.db, [{ scope, scope_id, tool, detail }])).toBe(granted);
  });
});

test('A2: consent that is taken back is gone, and only it; the list is the newest first', async () => {
  const bash = { scope: 'project', scope_id: 'p1', tool: 'bash', detail: 'npm test' } as const;
  const edit = { scope: 'project', scope_id: 'p1', tool: 'edit', detail: '*' } as const;
  await write({ grants: [bash], at: 1 });
  await write({ grants: [edit], at: 2 });
  expect(readGrants(handle.db)).toMatchObject([
    { ...edit, at: 2, of: null },
    { ...bash, at: 1, of: null },
  ]);
  await write({ revoked: [bash] });
  expect(isGranted(handle.db, [bash])).toBe(false);
  expect(readGrants(handle.db)).toMatchObject([edit]);
});

test('D3: the outbox gives back what was added and not done, in order', async () => {
  const record = { type: 'take_up_call', key: 'r/c', body: { call_id: 'c' }, lease: 'boot', leased_until: 99 };
  await write({ outboxAdded: [1, 2, 3].map((effect_id) => ({ ...record, effect_id })) });
  await write({ outboxDone: [2] });
  expect(readOutbox(handle.db)).toEqual([
    { ...record, effect_id: 1 },
    { ...record, effect_id: 3 },
  ]);
});

describe('Transcript rows', () => {
  const piece = (change: Partial<EntryWrite>): EntryWrite => ({
    run_id: 'run',
    entry: 0,
    at: 1,
    meta: null,
    isNew: false,
    chunk: null,
    text: null,
    ...change,
  });

  test('chunks are read as one text, by offset, until the whole text is there; pages begin anywhere', async () => {
    const { write: rows, run } = conversation();
    await write(rows);
    const meta = JSON.stringify({ type: 'text', partial: false });
    await write({
      entries: [0, 1, 2].map((entry) =>
        piece({ run_id: run, entry, meta, isNew: true, chunk: { offset: 0, text: `e${entry}` } }),
      ),
    });
    await write({ entries: [piece({ run_id: run, entry: 1, chunk: { offset: 12, text: 'c' } })] });
    await write({ entries: [piece({ run_id: run, entry: 1, chunk: { offset: 2, text: 'b'.repeat(10) } })] });
    await write({ entries: [piece({ run_id: run, entry: 2, text: 'done' })] });
    expect(readEntries(handle.db, run, 1, 9).map(({ entry, text, ended }) => [entry, text, ended])).toEqual([
      [1, `e1${'b'.repeat(10)}c`, false],
      [2, 'done', true],
    ]);
    expect(readEntries(handle.db, run, 0, 1)).toHaveLength(1);
    expect(countEntries(handle.db, run)).toBe(3);
    expect(readOpenEntries(handle.db, run).map(({ entry }) => entry)).toEqual([0, 1]);
    expect(handle.db.get('SELECT count(*) AS n FROM chunks WHERE entry = 2')).toEqual({ n: 0 });
  });

  test('case 19: an entry of an unknown type stays as it is', async () => {
    const { write: rows, run } = conversation();
    await write(rows);
    await write({ entries: [piece({ run_id: run, meta: '{"type":"hologram","depth":3}', isNew: true, text: 'x' })] });
    expect(readEntries(handle.db, run, 0, 1)[0]?.meta).toEqual({ type: 'hologram', depth: 3 });
  });
});
