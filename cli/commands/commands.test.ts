import { describe, expect, test } from 'vitest';
import { Settings } from '../../core/protocol/settings.ts';
import { refusal, type FakeAnswers } from '../../core/testing/fake-core.ts';
import { givenArguments } from '../testing/fake-context.ts';
import { entry, PROJECT, statusOf, world } from '../testing/command-world.ts';
import { askRow, conversationRow, resultEntry, runRow, TOTALS } from '../testing/rows.ts';
import { toFailure } from '../core/api-failure.ts';
import * as answer from './answer.ts';
import * as config from './config.ts';
import * as exported from './export.ts';
import * as list from './list.ts';
import * as projects from './projects.ts';
import * as show from './show.ts';
import * as steer from './steer.ts';
import * as stop from './stop.ts';

describe('reading commands', () => {
  test('show: what git wrote, and a path, cannot act on the terminal', async () => {
    const inspection_failed = { probe: 'status', exit_code: 128, stderr: 'fatal: \u001b[2Jbad\u001b]0;title\u0007' };
    const place = { path: '/w/\u001b[31ma', branch: 'b', base_commit: 'c', commits: null, dirty: null, kept: true };
    const result = resultEntry({ worktree: { ...place, inspection_failed } });
    const { context, seen } = world({ 'runs.show': () => ({ run: runRow(), result, steers: [] }) });
    await show.run(context, givenArguments(['run_1']));
    expect(seen.out).toContain('Worktree: what is in /w/a (branch b) could not be measured (status: fatal: bad)');
  });

  test('show: a program has no model; an agent that was named none takes its own', async () => {
    for (const [runner, facts] of [
      ['command', 'agent a, $0.50'],
      ['acp', 'agent a, model its own, $0.50'],
    ] as const) {
      const row = runRow({ runner, agent: 'a', model: null, cost_usd: 0.5 });
      const { context, seen } = world({ 'runs.show': () => ({ run: row, result: resultEntry(), steers: [] }) });
      await show.run(context, givenArguments(['run_1']));
      expect(seen.out.split('\n')[1]).toBe(facts);
    }
  });

  test('list: conversations with sets and runs by C1', async () => {
    const { context, seen, inputs } = world();
    await list.run(context, givenArguments([], { json: true }));
    const [first] = JSON.parse(seen.out) as { runs: unknown[] }[];
    expect(first?.runs[0]).toMatchObject({ run_id: 'run_1', label: 'Say hello', accepting_steer: true });
    await list.run(context, givenArguments([], { all: true }));
    expect(seen.out).toContain('run_1  [set 1] Say hello: Running, 12s');
    expect(inputs('conversations.list')).toEqual([{ all: false }, { all: true }]);
  });

  test('list and show: the time of a run at work goes on; with no core up nobody knows how long it did', async () => {
    const hour = runRow({ active_seconds: 12, active_since: Date.now() - 3_600_000 });
    const one = { conversation: conversationRow(), sets: [], runs: [{ ...hour, lead: true }], totals: TOTALS };
    for (const [stored, time] of [
      [false, /\b60 min\b/],
      [true, /\b12s\b/],
    ] as const) {
      const answers = {
        'conversations.list': () => [conversationRow()],
        'conversations.show': () => one,
        'runs.show': () => ({ run: hour, result: null, steers: [] }),
      };
      const { context, seen } = world(answers, { stored });
      await list.run(context, givenArguments([]));
      await show.run(context, givenArguments(['run_1']));
      await show.run(context, givenArguments(['conv_1']));
      const times = seen.out.split('\n').filter((line) => line.includes(': Running, ') || line.includes(' of work'));
      expect(times).toHaveLength(4);
      for (const line of times) expect(line).toMatch(time);
    }
  });

  test.each([
    ['conv_1', 'Say hello'],
    ['deleg_1', '## Say hello (completed)'],
    ['run_1', 'Hello.'],
  ])('show %s', async (id, text) => {
    const { context, seen } = world();
    expect(await show.run(context, givenArguments([id]))).toBe(0);
    expect(seen.out).toContain(text);
    expect(seen.closed).toBe(1);
  });

  test('show: what is no id is a usage error, what is not there is refused', async () => {
    const unknown = { code: 'not_found' as const, message: 'There is no run run_2.' };
    const { context } = world({ 'runs.show': () => refusal(unknown) });
    expect(await statusOf(show.run(context, givenArguments(['x'])))).toEqual([2, expect.any(String)]);
    expect(await statusOf(show.run(context, givenArguments(['run_2'])))).toEqual([1, unknown.message]);
  });

  test('B39: an export in any format is escaped and holds no known secret', async () => {
    const secret = 'CANARY-1-secret"<&';
    const settings = Settings.parse({ providers: { p: { kind: 'openai', apiKeyEnv: 'MY_KEY' } } });
    const evil = `<script>alert(1)</script> \`\`\`\` ${secret}`;
    const answers: FakeAnswers = {
      'settings.get': () => settings,
      'runs.show': () => ({ run: runRow({ goal: evil }), result: resultEntry({ summary: evil }), steers: [] }),
      'transcript.page': () => ({ entries: [entry(0, evil)], entry_count: 1 }),
    };
    for (const format of ['json', 'md', 'html']) {
      const { context, seen } = world(answers);
      const withKey = { ...context, environment: { MY_KEY: secret } };
      expect(await exported.run(withKey, givenArguments(['deleg_1'], { format }))).toBe(0);
      expect(seen.out).not.toContain('CANARY');
      expect(seen.out).toContain('[redacted]');
      if (format === 'html') expect(seen.out).not.toContain('<script');
      if (format === 'html') expect(seen.out).toContain('&lt;script&gt;');
      if (format === 'md') expect(seen.out).toContain('`````text\n<script>');
      if (format === 'json') expect(JSON.parse(seen.out)).toMatchObject({ runs: [{ run: { run_id: 'run_1' } }] });
    }
  });
});

describe('acting commands', () => {
  test('steer prints where the message stands', async () => {
    const row = {
      ...{ steer_id: 'steer_1', run_id: 'run_1', conversation_id: 'conv_1', mode: 'steer', text: 'x' },
      ...{ state: 'accepted', sent_at: 0, changed_at: 0 },
    };
    const { context, seen, inputs } = world({ 'runs.steer': () => row });
    expect(await steer.run(context, givenArguments(['run_1', 'x']))).toBe(0);
    expect(JSON.parse(seen.out)).toEqual({ status: 'accepted', steer_id: 'steer_1', run_id: 'run_1', mode: 'steer' });
    expect(inputs('runs.steer')).toMatchObject([{ run_id: 'run_1', text: 'x', mode: 'steer' }]);
  });

  test('C3: stop prints the receipt, and survivors are status 1', async () => {
    const survivors = [{ pid: 7, command: 'sleep\u001b[2J 1' }];
    const receipt = { run_ids: ['run_1'], ended: [], survivors, proof: { method: 'survivors' } };
    const { context, seen } = world({ 'runs.stop': () => receipt });
    expect(await stop.run(context, givenArguments(['run_1']))).toBe(1);
    expect(seen.out).toBe('Stopped 1 run (survivors).\n  run_1\n  STILL ALIVE 7 sleep 1\n');
    const clean = world({ 'runs.stop': () => ({ ...receipt, survivors: [], proof: { method: 'not_started' } }) });
    expect(await stop.run(clean.context, givenArguments(['run_1'], { json: true }))).toBe(0);
    expect(JSON.parse(clean.seen.out)).toMatchObject({ run_ids: ['run_1'], survivors: [] });
  });

  test('answer: a permission by a choice, a question by a text, one already answered by nobody', async () => {
    const permission = world({ 'asks.list': () => [askRow()], 'asks.answer': () => askRow({ choice: 'set' }) });
    expect(await answer.run(permission.context, givenArguments(['ask_1', 'set'], { note: 'fine' }))).toBe(0);
    expect(permission.inputs('asks.answer')).toMatchObject([{ choice: 'set', note: 'fine' }]);
    expect(await statusOf(answer.run(permission.context, givenArguments(['ask_1', 'sett'])))).toEqual([
      2,
      expect.stringContaining('Did you mean "set"?'),
    ]);
    const asked = () => [askRow({ kind: 'question' })];
    const question = world({ 'asks.list': asked, 'asks.answer': () => askRow() });
    await answer.run(question.context, givenArguments(['ask_1', 'once more']));
    expect(question.inputs('asks.answer')).toMatchObject([{ choice: 'text', note: 'once more' }]);
    const late = { code: 'already_answered' as const, message: 'The desktop answered it.' };
    const closed = world({ 'asks.list': () => [], 'asks.answer': () => refusal(late) });
    expect(await statusOf(answer.run(closed.context, givenArguments(['ask_1', 'once'])))).toEqual([1, late.message]);
  });

  test('a command in a folder that has been deleted says so', () => {
    const gone = Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), {
      code: 'ENOENT',
      syscall: 'uv_cwd',
    });
    const { status, message } = toFailure(gone);
    expect([status, message]).toEqual([3, expect.stringContaining('Go to one that is there (cd)')]);
  });

  test('projects are named by id, folder or name', async () => {
    const { context, seen, inputs } = world({
      'projects.trust': () => ({ ...PROJECT, trusted: true }),
      'projects.remove': () => ({ done: true }),
    });
    expect(await projects.add(context, givenArguments(['.']))).toBe(0);
    expect(inputs('projects.add')).toEqual([{ path: PROJECT.path }]);
    await projects.trust(context, givenArguments(['.']));
    await projects.trust(context, givenArguments(['proj_1'], { revoke: true }));
    expect(inputs('projects.trust')).toEqual([
      { project_id: 'proj_1', trusted: true },
      { project_id: 'proj_1', trusted: false },
    ]);
    expect(await projects.remove(context, givenArguments(['proj_1']))).toBe(0);
    expect(await statusOf(projects.remove(context, givenArguments(['other'])))).toEqual([1, expect.any(String)]);
    expect(seen.out).toContain(`proj_1  project  trusted, git  ${PROJECT.path}`);

    const rows = [PROJECT, { ...PROJECT, project_id: 'proj_2', path: '/elsewhere/x', name: 'x' }];
    const named = world({ 'projects.list': () => rows, 'projects.remove': () => ({ done: true }) });
    expect(await projects.remove(named.context, givenArguments(['x']))).toBe(0);
    expect(named.inputs('projects.remove')).toEqual([{ project_id: 'proj_2' }]);
    const twice = world({
      'projects.list': () => [...rows, { ...PROJECT, project_id: 'proj_3', path: '/y/x', name: 'x' }],
    });
    expect(await statusOf(projects.remove(twice.context, givenArguments(['x'])))).toEqual([
      1,
      '2 attached projects are called x: proj_2 (/elsewhere/x), proj_3 (/y/x). Name one by its id.',
    ]);
  });

  test('A4: projects trust trusts what was looked at and names it; a change since then is shown', async () => {
    const definitions = { digest: 'd1', files: ['espalier.json'], changed: true, faults: [] };
    const { context, seen, inputs } = world({
      'projects.list': () => [{ ...PROJECT, definitions }],
      'projects.trust': () => ({ ...PROJECT, trusted: true, definitions: { ...definitions, changed: false } }),
    });
    await projects.list(context, givenArguments([]));
    expect(seen.out).toContain('changed since it was trusted');
    await projects.trust(context, givenArguments(['.']));
    expect(inputs('projects.trust')).toEqual([{ project_id: 'proj_1', trusted: true, digest: 'd1' }]);
    expect(seen.out).toContain('Trusted as they are now; a change asks again: espalier.json\n');
  });

  test('config: path without a core, get by dotted name, set with JSON or text', async () => {
    const { context, seen, inputs } = world({ 'settings.set': () => Settings.parse({}) });
    await config.path(context);
    await config.get(context, givenArguments(['limits.concurrency']));
    await config.get(context, givenArguments(['defaultAgent']));
    expect(seen.out).toBe('/home/of/espalier/settings.json\n10\ngeneral\n');
    const refused = async (key: string) => statusOf(config.get(context, givenArguments([key])));
    expect(await refused('limits.treeTokens')).toEqual([1, 'limits.treeTokens is not set.']);
    expect(await refused('permision')).toEqual([1, 'There is no setting "permision". Did you mean "permission"?']);
    expect(await refused('limts')).toEqual([1, 'There is no setting "limts". Did you mean "limits"?']);
    await config.set(context, givenArguments(['limits.concurrency', '4']));
    await config.set(context, givenArguments(['defaultModel', 'p/m']));
    expect(inputs('settings.set')).toEqual([
      { key: 'limits.concurrency', value: 4 },
      { key: 'defaultModel', value: 'p/m' },
    ]);
  });
});
