import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import type { BatchProblem } from '../../core/protocol/errors.ts';
import type { Change } from '../../core/protocol/feed.ts';
import { SetResult } from '../../core/protocol/result-entry.ts';
import { createFakeCore, FAKE_APP, refusal, type FakeAnswers } from '../../core/testing/fake-core.ts';
import { toFailure } from '../core/api-failure.ts';
import type { Failure } from '../core/failure.ts';
import { createFakeContext, givenArguments, type FakeWorld } from '../testing/fake-context.ts';
import { askRow, runRow, setResult, setRow } from '../testing/rows.ts';
import { run } from './run.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'run-'));
  writeFileSync(join(cwd, 'b.json'), '{"tasks":["Say hello to everyone"]}');
});
afterAll(() => rmSync(cwd, { recursive: true }));

const BATCH = { tasks: ['Say hello to everyone'] };
const ANSWER = {
  conversation_id: 'conv_1',
  delegation_id: 'deleg_1',
  set: 1,
  count: 1,
  run_ids: ['run_1'],
  note: 'Stored.',
};

function world(answers: FakeAnswers = {}, more: Partial<FakeWorld> = {}) {
  const core = createFakeCore({
    'batches.parse': () => ({ form: 'json', title: null, skipped: 0, batch: BATCH, problems: [] }),
    'batches.validate': () => ({ problems: [] }),
    'projects.add': () => ({
      ...{ project_id: 'proj_1', path: cwd, name: 'p', added_at: 0, used_at: 0 },
      ...{ trusted: false, definitions: null, present: true, git: false },
    }),
    'batches.dispatch': () => ANSWER,
    'sets.show': () => ({ set: setRow({ status: 'completed' }), runs: [], result: setResult() }),
    ...answers,
  });
  const router = createRouter(core.service, core.hub, silentLogger);
  const client = localClient(router, 'cli');
  const publish = (...changes: Change[]): void =>
    core.hub.publish(
      changes.map((change) => ({
        conversation_id: 'conv_1',
        run_id: change.type === 'run' ? change.row.run_id : null,
        change,
      })),
    );
  const calls = (procedure: string) => core.calls.filter((call) => call.procedure === procedure);
  return { ...createFakeContext({ client, cwd, ...more }), core, publish, calls };
}

const following = (core: ReturnType<typeof createFakeCore>): Promise<unknown> =>
  expect.poll(() => core.hub.subscriptions).toBe(1);
const over = (status: string): Change => ({ type: 'set', row: setRow({ status, ended: 1 }) });

async function failure(running: Promise<unknown>): Promise<Failure> {
  const error: unknown = await running.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return toFailure(error);
}

describe('espalier run', () => {
  test('runs a file to its end: progress for people, one JSON object on stdout, status 0', async () => {
    // Its runs worked 12 s in all; on the clock 5 s went by.
    const set = setRow({ status: 'completed', created_at: 1000, ended_at: 6000 });
    const { context, seen, core, publish } = world({ 'sets.show': () => ({ set, runs: [], result: setResult() }) });
    const running = run(context, givenArguments(['b.json'], { json: true }));
    await following(core);
    publish({ type: 'set', row: setRow() }, { type: 'run', row: runRow() });
    publish({ type: 'run', row: runRow({ state: 'ended', outcome: 'completed' }) }, over('completed'));
    expect(await running).toBe(0);
    expect(SetResult.parse(JSON.parse(seen.out))).toEqual(setResult());
    expect(seen.out.trim().split('\n')).toHaveLength(1);
    expect(seen.notes).toEqual([
      '▸ [set 1] Say hello',
      '✓ [set 1] Say hello (12s)',
      '[set 1] completed: 1 completed · 5s · $0.50',
    ]);
    expect([seen.closed, core.hub.subscriptions]).toEqual([1, 0]);
  });

  test('D1: that the core cannot store is told at once, and its end; what other conversations ask is not', async () => {
    const { context, seen, core, publish } = world({}, { interactive: true });
    const running = run(context, givenArguments(['b.json'], { json: true }));
    await following(core);
    const app = (storage_banner: string | null): void => publish({ type: 'app', row: { ...FAKE_APP, storage_banner } });
    app('The disk is full. Nothing is lost; work goes on when there is room.');
    await expect.poll(() => seen.notes.join()).toContain('The disk is full. Nothing is lost');
    publish({ type: 'ask', row: askRow({ conversation_id: 'conv_2', title: 'Of somebody else' }) });
    app(null);
    await expect.poll(() => seen.notes.join()).toContain('Everything can be stored again');
    publish(over('completed'));
    expect(await running).toBe(0);
    expect(seen.questions.join()).not.toContain('Of somebody else');
  });

  test('passes options on, with the text and name of the file', async () => {
    const { context, core, publish, calls } = world();
    const options = { agent: 'a', model: 'p/m', isolation: 'worktree', permission: 'edit', 'max-concurrent': '3' };
    const running = run(context, givenArguments(['b.json'], { ...options, timeout: '9', 'max-cost': '0.5' }));
    await following(core);
    publish(over('completed'));
    await running;
    expect(calls('batches.parse')[0]?.input).toMatchObject({ name: 'b.json', text: expect.stringContaining('hello') });
    expect(calls('batches.dispatch')[0]?.input).toMatchObject({
      project_id: 'proj_1',
      conversation_id: null,
      batch: BATCH,
      options: {
        ...{ agent: 'a', model: 'p/m', isolation: 'worktree', permission: 'edit' },
        ...{ max_concurrent: 3, timeout_seconds: 9, max_cost_usd: 0.5 },
      },
    });
  });

  test('T4, C2, C3, W3: failed checks with their output, unheard messages, survivors and where kept work lies are told before the sum', async () => {
    const [entry] = setResult().results;
    const output = Array.from({ length: 30 }, (_, line) => `line ${line}\u001b[31m`).join('\n');
    const told = {
      acceptance: {
        status: 'failed' as const,
        commands: [
          { command: 'npm test', exit_code: 1, seconds: 1, output },
          { command: 'true', exit_code: 0, seconds: 1, output: 'fine' },
        ],
      },
      missed_steer: ['Use tabs.'],
      survivors: [{ pid: 7, command: 'sleep 9' }],
      worktree: { path: '/w', branch: 'espalier/a/1', base_commit: 'c', commits: 0, dirty: true, kept: true },
    };
    const result = { ...setResult(), results: entry === undefined ? [] : [{ ...entry, ...told }] };
    const { context, core, publish, seen } = world({ 'sets.show': () => ({ set: setRow(), runs: [], result }) });
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    publish(over('partial'));
    await running;
    const name = entry?.label ?? entry?.goal ?? '';
    expect(seen.notes.slice(0, 2)).toEqual([`${name}: npm test → exit 1`, '  line 20']);
    expect(seen.notes.slice(10, 14)).toEqual([
      '  line 29',
      `${name}: not heard: Use tabs.`,
      `${name}: still running: sleep 9 (pid 7)`,
      `${name}: kept: changes that are not committed, in /w; branch espalier/a/1 has none of them`,
    ]);
  });

  test.each(['partial', 'failed', 'stopped'])('a set that ends %s → status 1', async (status) => {
    const result = setResult({ status: status as SetResult['status'] });
    const { context, core, publish } = world({ 'sets.show': () => ({ set: setRow(), runs: [], result }) });
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    publish(over(status));
    expect(await running).toBe(1);
  });

  test('standard input, and the token that a batch brings itself (S7)', async () => {
    const batch = { ...BATCH, client_token: 'mine' };
    const parsed = { form: 'json', title: null, skipped: 2, batch, problems: [] };
    const { context, core, publish, calls, seen } = world({ 'batches.parse': () => parsed }, { stdin: 'Say hello' });
    const running = run(context, givenArguments(['-']));
    await following(core);
    publish(over('completed'));
    expect(await running).toBe(0);
    expect(calls('batches.parse')[0]?.input).toMatchObject({ name: null, text: 'Say hello' });
    expect(calls('batches.dispatch')[0]?.input).toMatchObject({ client_token: 'mine' });
    expect(seen.notes[0]).toBe('2 ticked items are left out.');
  });

  test('S1: a batch that is not valid starts nothing, attaches nothing, and names every problem; status 2', async () => {
    const problem: BatchProblem = {
      ...{ task_index: 0, field: 'goal', suggestion: null, pointer: null },
      ...{ message: 'Task 1: the goal is blank.', fix: 'Say what is to be done.' },
    };
    const { context, calls } = world({ 'batches.validate': () => ({ problems: [problem] }) });
    const { status, lines } = await failure(run(context, givenArguments(['b.json'])));
    expect([status, lines]).toEqual([
      2,
      ['Nothing was started:', '  Task 1: the goal is blank. Say what is to be done.'],
    ]);
    expect([calls('projects.add'), calls('batches.dispatch')]).toEqual([[], []]);
  });

  test('a file that is not there, or too long, is a usage error', async () => {
    const { context } = world();
    expect(await failure(run(context, givenArguments(['none.json'])))).toMatchObject({ status: 2 });
    const long = world({}, { stdin: 'x'.repeat(16 * 1024 * 1024 + 1) });
    expect(await failure(run(long.context, givenArguments(['-'])))).toMatchObject({ status: 2 });
  });

  test('case 8, S2: a file is read by its bytes: UTF-16 is text, what is no text is refused, a device without an end is too long', async () => {
    writeFileSync(join(cwd, 'wide.txt'), Buffer.from('\ufeffSay hello to everyone\r\n', 'utf16le'));
    writeFileSync(join(cwd, 'odd.txt'), Buffer.from([0x53, 0x61, 0x79, 0xff, 0xc0]));
    const { context, core, publish, calls } = world();
    const running = run(context, givenArguments(['wide.txt']));
    await following(core);
    publish(over('completed'));
    await running;
    expect(calls('batches.parse')[0]?.input).toMatchObject({ name: 'wide.txt', text: 'Say hello to everyone\n' });
    expect(await failure(run(context, givenArguments(['odd.txt'])))).toMatchObject({
      status: 2,
      lines: ['Nothing was started:', expect.stringContaining('no UTF-8') as string],
    });
    expect(await failure(run(context, givenArguments(['/dev/zero'])))).toMatchObject({ status: 2 });
  });

  test('a core that cannot store is the environment; status 3, and the core is left', async () => {
    const full = { code: 'storage' as const, message: 'The disk is full. Make room.' };
    const { context, seen } = world({ 'batches.dispatch': () => refusal(full) });
    expect(await failure(run(context, givenArguments(['b.json'])))).toMatchObject({ status: 3, message: full.message });
    expect(seen.closed).toBe(1);
  });

  test('--detach prints the answer to the dispatch and does not wait (S6)', async () => {
    const { context, seen, core } = world();
    expect(await run(context, givenArguments(['b.json'], { detach: true }))).toBe(0);
    expect(JSON.parse(seen.out)).toEqual(ANSWER);
    expect(core.hub.subscriptions).toBe(0);
  });
});

describe('Ctrl-C during espalier run', () => {
  const receipt = { run_ids: ['run_1'], ended: [], survivors: [], proof: { method: 'observed', how: 'group' } };

  test('once: stops the set, waits for its end, prints the result; status 130', async () => {
    const result = setResult({ status: 'stopped' });
    const show = () => ({ set: setRow({ status: 'stopped' }), runs: [], result });
    const { context, core, publish, interrupt, calls, seen } = world({
      'runs.stop': () => receipt,
      'sets.show': show,
    });
    const running = run(context, givenArguments(['b.json'], { json: true }));
    await following(core);
    interrupt();
    await expect.poll(() => calls('runs.stop').map(({ input }) => input)).toEqual([{ id: 'deleg_1' }]);
    expect(seen.notes).toContain('Stopping; Ctrl-C again kills.');
    publish(over('stopped'));
    expect(await running).toBe(130);
    expect(SetResult.parse(JSON.parse(seen.out)).status).toBe('stopped');
    expect(seen.closed).toBe(1);
  });

  test('C3: while the set is being stored: it is stopped as soon as it is known, also with --detach', async () => {
    const forms: Record<string, true>[] = [{}, { detach: true }];
    for (const options of forms) {
      const stored = Promise.withResolvers<typeof ANSWER>();
      const { context, core, publish, interrupt, calls, seen } = world({
        'batches.dispatch': () => stored.promise,
        'runs.stop': () => receipt,
      });
      const running = run(context, givenArguments(['b.json'], options));
      await expect.poll(() => calls('batches.dispatch')).toHaveLength(1);
      interrupt();
      expect(seen.notes).toEqual(['Stopping what is being stored; Ctrl-C again does not wait for it.']);
      stored.resolve(ANSWER);
      await expect.poll(() => calls('runs.stop').map(({ input }) => input)).toEqual([{ id: 'deleg_1' }]);
      await following(core);
      publish(over('stopped'));
      expect(await running).toBe(130);
    }
  });

  test('S1: before anything is stored: nothing is; status 130, and the core is left', async () => {
    const { context, interrupt, calls, seen } = world({ 'batches.validate': () => new Promise(() => undefined) });
    const running = failure(run(context, givenArguments(['b.json'])));
    await expect.poll(() => calls('batches.validate')).toHaveLength(1);
    interrupt();
    expect((await running).status).toBe(130);
    expect([calls('batches.dispatch'), seen.closed]).toEqual([[], 1]);
  });

  test('C3: what runs below the set is waited for too, and the receipt is told; of other work in the core nothing is', async () => {
    const survivors = [{ pid: 7, command: 'sleep 9' }];
    const { context, core, publish, interrupt, seen } = world({
      'runs.stop': () => ({ ...receipt, survivors, proof: { method: 'survivors' } }),
      'sets.show': () => ({ set: setRow({ status: 'stopped' }), runs: [], result: setResult({ status: 'stopped' }) }),
    });
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    const below = { run_id: 'run_2', root_run_id: 'run_1', parent_run_id: 'run_1', delegation_id: 'deleg_2', set: 2 };
    const beside = { run_id: 'run_3', root_run_id: 'run_3', delegation_id: 'deleg_3', set: 3 };
    publish({ type: 'set', row: setRow({ delegation_id: 'deleg_2', set: 2 }) });
    publish({ type: 'run', row: runRow() }, { type: 'run', row: runRow(below) }, { type: 'run', row: runRow(beside) });
    interrupt();
    publish({ type: 'run', row: runRow({ state: 'ended', outcome: 'stopped' }) }, over('stopped'));
    const ended = { state: 'ended', outcome: 'stopped', goal: 'Below' };
    publish({ type: 'run', row: runRow({ ...below, ...ended }) });
    expect(await running).toBe(130);
    const [, ...after] = seen.notes.slice(seen.notes.findIndex((note) => note.startsWith('■ [set 2] Below')));
    expect(after.slice(0, 2)).toEqual(['Stopped 1 run (survivors).', '  STILL ALIVE 7 sleep 9']);
  });

  test('twice: kills the set and nothing else, and waits for its end as well; status 130', async () => {
    const { context, core, publish, interrupt, calls, seen } = world({ 'runs.stop': () => receipt });
    const running = run(context, givenArguments(['b.json'], { json: true }));
    await following(core);
    interrupt();
    interrupt();
    const asked = (): unknown[] => calls('runs.stop').map(({ input }) => input);
    await expect.poll(asked).toEqual([{ id: 'deleg_1' }, { id: 'deleg_1', now: true }]);
    expect(seen.notes).toContain('Killing; Ctrl-C again leaves at once.');
    publish(over('stopped'));
    expect(await running).toBe(130);
    expect(seen.out.trim().split('\n')).toHaveLength(1);
  });

  test('three times: leaves what does not end to a core in the background; status 130, nothing on stdout', async () => {
    const hosted = { clients: () => 0, atWork: () => 1 };
    const answers = { 'runs.stop': () => new Promise(() => undefined) };
    const { context, core, interrupt, seen } = world(answers, { hosted });
    const running = run(context, givenArguments(['b.json'], { json: true }));
    await following(core);
    for (let presses = 0; presses < 3; presses += 1) interrupt();
    expect(await running).toBe(130);
    expect([seen.out, seen.closed, seen.background]).toEqual(['', 1, 1]);
  });

  test('C3: twice while the set is being stored: it is killed as soon as it is known, and not followed', async () => {
    const stored = Promise.withResolvers<typeof ANSWER>();
    const { context, core, interrupt, calls } = world({
      'batches.dispatch': () => stored.promise,
      'runs.stop': () => receipt,
    });
    const running = failure(run(context, givenArguments(['b.json'])));
    await expect.poll(() => calls('batches.dispatch')).toHaveLength(1);
    interrupt();
    interrupt();
    stored.resolve(ANSWER);
    expect((await running).status).toBe(130);
    expect(calls('runs.stop').map(({ input }) => input)).toEqual([{ id: 'deleg_1', now: true }]);
    expect(core.hub.subscriptions).toBe(0);
  });
});

describe('the core of espalier run', () => {
  test('D5: one that goes is replaced, and the set is followed to its end', async () => {
    const { context, core, publish, seen } = world();
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    core.hub.close();
    await expect.poll(() => seen.notes).toContain('The core has gone; taking up the work again…');
    await following(core);
    publish(over('completed'));
    expect(await running).toBe(0);
  });

  test('one hosted here leaves what others have at work to a core in the background', async () => {
    const hosted = { clients: () => 1, atWork: () => 2 };
    const { context, core, publish, seen } = world({}, { hosted });
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    publish(over('completed'));
    await running;
    expect([seen.closed, seen.background]).toEqual([1, 1]);
  });
});

describe('A2: permissions at the terminal', () => {
  test('are asked one after the other and answered with a letter; other keys are asked again', async () => {
    const typed = ['x', 'r', 'D'];
    const { context, core, publish, calls, seen } = world(
      { 'asks.answer': (input: { ask_id: string }) => askRow({ ask_id: input.ask_id, state: 'answered' }) },
      { interactive: true, typed },
    );
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    expect(core.hub.canAnswer).toBe(true);
    const second = askRow({ ask_id: 'ask_2', title: 'Edit a.ts', diff: '-old\n+new\u001b[2J' });
    publish({ type: 'ask', row: askRow() }, { type: 'ask', row: second });
    await expect.poll(() => calls('asks.answer')).toHaveLength(2);
    expect(calls('asks.answer').map(({ input }) => input)).toEqual([
      { ask_id: 'ask_1', choice: 'run', note: null, client: 'espalier run' },
      { ask_id: 'ask_2', choice: 'deny', note: null, client: 'espalier run' },
    ]);
    expect(seen.notes).toContain('  rm -rf build');
    expect(seen.notes.join('\n')).toContain('+new');
    expect(seen.notes.join('\n')).not.toContain('\u001b');
    publish(over('completed'));
    expect(await running).toBe(0);
  });

  test('case 52: one answered elsewhere is not asked any more; a question takes text', async () => {
    const typed: string[] = [];
    const { context, core, publish, calls, seen } = world(
      { 'asks.answer': () => askRow({ state: 'answered' }) },
      { interactive: true, typed },
    );
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    publish({ type: 'ask', row: askRow() });
    await expect.poll(() => seen.questions).toHaveLength(1);
    typed.push('  ', 'Use tabs');
    publish(
      { type: 'ask', row: askRow({ state: 'answered', answered_by: 'desktop' }) },
      { type: 'ask', row: askRow({ ask_id: 'ask_2', kind: 'question', title: 'Tabs or spaces?' }) },
    );
    await expect.poll(() => calls('asks.answer')).toHaveLength(1);
    expect(calls('asks.answer')[0]?.input).toMatchObject({ ask_id: 'ask_2', choice: 'text', note: 'Use tabs' });
    expect(seen.notes.join('\n')).toContain('Answered by desktop.');
    publish(over('completed'));
    await running;
  });

  test('without a terminal nothing is asked, and the core is told that nobody can answer (A1)', async () => {
    const { context, core, publish, seen } = world();
    const running = run(context, givenArguments(['b.json']));
    await following(core);
    expect(core.hub.canAnswer).toBe(false);
    const denied = { state: 'answered' as const, choice: 'deny', answered_by: 'nobody' };
    publish({ type: 'ask', row: askRow() }, { type: 'ask', row: askRow(denied) });
    publish({ type: 'ask', row: askRow({ ...denied, ask_id: 'ask_2', title: 'Write a.ts', detail: 'a.ts' }) });
    publish(over('completed'));
    await running;
    expect(seen.questions).toEqual([]);
    expect(seen.notes.filter((note) => note.includes('denied'))).toEqual([
      '✗ denied, nobody can be asked here: Run a command: rm -rf build. A wider --permission allows such beforehand.',
      '✗ denied, nobody can be asked here: Write a.ts.',
    ]);
  });
});
