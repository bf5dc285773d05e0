import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { createFakeCore, refusal, type FakeAnswers } from '../../core/testing/fake-core.ts';
import { toFailure } from '../core/api-failure.ts';
import { createFakeContext, givenArguments, type FakeWorld } from '../testing/fake-context.ts';
import * as add from './add.ts';
import * as continued from './continue.ts';
import * as gate from './gate.ts';
import * as retry from './retry.ts';

const BEGUN = { conversation_id: 'conv_1', delegation_id: 'deleg_1', run_id: 'run_2' };
const ADDED = { conversation_id: 'conv_1', delegation_id: 'deleg_1', set: 1, count: 2, run_ids: ['run_8', 'run_9'] };

function world(answers: FakeAnswers = {}, more: Partial<FakeWorld> = {}) {
  const core = createFakeCore({
    'runs.pause': () => ({ done: true, note: 'Held.' }),
    'runs.resume': () => ({ done: true, note: 'It goes on.' }),
    'runs.retry': () => ({ ...BEGUN, note: 'Stored.' }),
    'runs.continue': () => ({ ...BEGUN, note: 'Stored.' }),
    'sets.add': () => ({ ...ADDED, note: 'Added.' }),
    'batches.parse': () => ({ form: 'text', title: null, skipped: 0, batch: { tasks: ['a', 'b'] }, problems: [] }),
    ...answers,
  });
  const client = localClient(createRouter(core.service, core.hub, silentLogger), 'cli');
  const inputs = (procedure: string) =>
    core.calls.filter((call) => call.procedure === procedure).map(({ input }) => input);
  return { ...createFakeContext({ client, ...more }), inputs };
}

const failureOf = async (running: Promise<unknown>): Promise<unknown> =>
  running.catch((error: unknown) => {
    const { status, message } = toFailure(error);
    return [status, message];
  });

test.each(['pause', 'resume'] as const)(
  '%s ID acts on that; the note goes to stderr and stdout stays empty',
  async (name) => {
    const { context, inputs, seen } = world();
    expect(await gate[name](context, givenArguments(['deleg_1']))).toBe(0);
    expect(inputs(`runs.${name}`)).toEqual([{ id: 'deleg_1' }]);
    expect([seen.notes, seen.out]).toEqual([[name === 'pause' ? 'Held.' : 'It goes on.'], '']);
  },
);

test.each(['pause', 'resume'] as const)('%s --all acts on everything', async (name) => {
  const { context, inputs } = world();
  await gate[name](context, givenArguments([], { all: true }));
  expect(inputs(`runs.${name}`)).toEqual([{ id: null }]);
});

test.each([
  ['neither an id nor --all', [], {}],
  ['both', ['run_1'], { all: true }],
] as const)('pause with %s is a usage error, and nothing is paused', async (_, positionals, options) => {
  const { context, inputs } = world();
  const failed = await failureOf(gate.pause(context, givenArguments(positionals, options)));
  expect(failed).toEqual([2, 'Name a run, set or conversation, or say --all for everything.']);
  expect(inputs('runs.pause')).toEqual([]);
});

test('R9: a run that cannot pause is refused with status 1 and the reason', async () => {
  const message = 'A command cannot be paused once it is at work.';
  const { context } = world({ 'runs.pause': () => refusal({ code: 'not_pausable', message }) });
  expect(await failureOf(gate.pause(context, givenArguments(['run_1'])))).toEqual([1, message]);
});

test('C5: retry prints the new run, and sends the edits that were given', async () => {
  const { context, inputs, seen } = world();
  expect(await retry.run(context, givenArguments(['run_1'], { goal: 'Another way' }))).toBe(0);
  expect(inputs('runs.retry')).toMatchObject([{ run_id: 'run_1', goal: 'Another way' }]);
  expect(JSON.parse(seen.out)).toEqual(BEGUN);
  expect(seen.notes).toEqual(['Stored.']);
});

test('C5: continue prints the new run', async () => {
  const { context, inputs, seen } = world();
  expect(await continued.run(context, givenArguments(['run_1', 'One thing more']))).toBe(0);
  expect(inputs('runs.continue')).toMatchObject([{ run_id: 'run_1', text: 'One thing more' }]);
  expect(JSON.parse(seen.out)).toEqual(BEGUN);
});

test('S8: add sends the tasks of the file, and prints the answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-cli-'));
  try {
    writeFileSync(join(folder, 'more.txt'), 'a\nb\n');
    const { context, inputs, seen } = world({}, { cwd: folder });
    expect(await add.run(context, givenArguments(['deleg_1', 'more.txt']))).toBe(0);
    expect(inputs('batches.parse')).toMatchObject([{ text: 'a\nb\n', name: 'more.txt' }]);
    expect(inputs('sets.add')).toMatchObject([{ delegation_id: 'deleg_1', batch: { tasks: ['a', 'b'] } }]);
    expect(JSON.parse(seen.out)).toEqual(ADDED);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('S7, S8: the token of the file itself makes sending it twice one addition', async () => {
  const batch = { tasks: ['a'], client_token: 'mine' };
  const parsed = { form: 'json', title: null, skipped: 0, batch, problems: [] };
  const { context, inputs } = world({ 'batches.parse': () => parsed }, { stdin: '{}' });
  await add.run(context, givenArguments(['deleg_1', '-']));
  expect(inputs('sets.add')).toMatchObject([{ client_token: 'mine' }]);
});
