import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchProblem } from '../../core/protocol/errors.ts';
import { SetResult } from '../../core/protocol/result-entry.ts';
import { FAKE_APP, refusal } from '../../core/testing/fake-core.ts';
import { givenArguments } from '../testing/fake-context.ts';
import { askRow, runRow, setResult, setRow } from '../testing/rows.ts';
import { ANSWER, BATCH, failure, following, over, world } from '../testing/run-world.ts';
import { run } from './run.ts';

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
    const { context, core, publish, calls } = world();
    writeFileSync(join(context.cwd, 'wide.txt'), Buffer.from('\ufeffSay hello to everyone\r\n', 'utf16le'));
    writeFileSync(join(context.cwd, 'odd.txt'), Buffer.from([0x53, 0x61, 0x79, 0xff, 0xc0]));
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
