import { describe, expect, test } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import type { Entry, EntryMeta } from '../../core/protocol/entry.ts';
import type { Change } from '../../core/protocol/feed.ts';
import { PromptResult } from '../../core/protocol/result-entry.ts';
import { Settings } from '../../core/protocol/settings.ts';
import { createFakeCore, refusal, type FakeAnswers } from '../../core/testing/fake-core.ts';
import { toFailure } from '../core/api-failure.ts';
import { createFakeContext, givenArguments, type FakeWorld, SERVED_HERE } from '../testing/fake-context.ts';
import { askRow, conversationRow, resultEntry, runRow, setResult, setRow, TOTALS } from '../testing/rows.ts';
import * as answer from './answer.ts';
import * as config from './config.ts';
import * as exported from './export.ts';
import * as list from './list.ts';
import * as projects from './projects.ts';
import * as prompt from './prompt.ts';
import * as serve from './serve.ts';
import * as show from './show.ts';
import * as steer from './steer.ts';
import * as stop from './stop.ts';
import * as tail from './tail.ts';

const PROJECT = {
  ...{ project_id: 'proj_1', path: '/project', name: 'project', added_at: 0, used_at: 0 },
  ...{ trusted: false, definitions: null, present: true, git: true },
};

function entry(number: number, text: string, changed: Partial<Entry> = {}): Entry {
  const meta: EntryMeta = { type: 'text', partial: false };
  return { run_id: 'run_1', entry: number, at: 0, meta, text, ended: true, ...changed };
}

function world(answers: FakeAnswers = {}, more: Partial<FakeWorld> = {}) {
  const core = createFakeCore({
    'projects.add': () => PROJECT,
    'projects.list': () => [PROJECT],
    'conversations.list': () => [conversationRow()],
    'conversations.show': () => ({
      conversation: conversationRow(),
      sets: [setRow()],
      runs: [runRow()],
      totals: TOTALS,
    }),
    'runs.show': () => ({ run: runRow(), result: resultEntry(), steers: [] }),
    'sets.show': () => ({ set: setRow(), runs: [runRow()], result: setResult() }),
    'transcript.page': ({ from }: { from: number }) => ({
      entries: [entry(0, 'one'), entry(1, 'two')].filter((one) => one.entry >= from),
      entry_count: 2,
    }),
    'settings.get': () => Settings.parse({}),
    ...answers,
  });
  const client = localClient(createRouter(core.service, core.hub, silentLogger), 'cli');
  const publish = (...changes: Change[]): void =>
    core.hub.publish(changes.map((change) => ({ conversation_id: 'conv_1', run_id: 'run_1', change })));
  const inputs = (procedure: string) =>
    core.calls.filter((call) => call.procedure === procedure).map(({ input }) => input);
  return { ...createFakeContext({ client, ...more }), core, publish, inputs };
}

async function statusOf(running: Promise<unknown>): Promise<unknown> {
  return running.catch((error: unknown) => {
    const { status, message } = toFailure(error);
    return [status, message];
  });
}

describe('espalier prompt', () => {
  const lead = { delegation_id: null, set: null, task_index: null, lead: true };
  const ended = { run: runRow(lead), result: resultEntry({ delegation_id: null, task_index: null }), steers: [] };

  test('prints the final text of one lead run', async () => {
    const { context, core, publish, seen, inputs } = world({
      'leads.send': () => ({ conversation_id: 'conv_1', run_id: 'run_1' }),
      'runs.show': () => ended,
    });
    const running = prompt.run(context, givenArguments(['Say hello']));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'run', row: runRow({ ...lead, state: 'ended', outcome: 'completed' }) });
    expect(await running).toBe(0);
    expect(seen.out).toBe('Hello.\n');
    expect(inputs('leads.send')).toMatchObject([{ text: 'Say hello', once: true, conversation_id: null }]);
  });

  test('--json prints one object of the contract; a caveat is status 1', async () => {
    const row = runRow({ ...lead, caveats: ['truncated'] });
    const { context, core, publish, seen } = world({
      'leads.send': () => ({ conversation_id: 'conv_1', run_id: 'run_1' }),
      'runs.show': () => ({ ...ended, run: row }),
    });
    const running = prompt.run(context, givenArguments(['Say hello'], { json: true }));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'run', row: runRow({ ...lead, state: 'ended' }) });
    expect(await running).toBe(1);
    expect(PromptResult.parse(JSON.parse(seen.out)).result.task_index).toBeNull();
  });

  test('P5: an answer that the result entry has cut is printed whole, from the transcript', async () => {
    const result = resultEntry({ summary: 'cut…', summary_truncated: true });
    const { context, core, publish, seen } = world({
      'leads.send': () => ({ conversation_id: 'conv_1', run_id: 'run_1' }),
      'runs.show': () => ({ run: runRow(lead), result, steers: [] }),
    });
    const running = prompt.run(context, givenArguments(['Say hello']));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'run', row: runRow({ ...lead, state: 'ended' }) });
    await running;
    expect(seen.out).toBe('two\n');
  });

  test('a blank prompt is a usage error', async () => {
    const { context } = world({}, { stdin: ' \n' });
    expect(await statusOf(prompt.run(context, givenArguments(['-'])))).toEqual([2, expect.stringContaining('blank')]);
  });

  test('S3: one that is no text is a usage error, and nothing is sent', async () => {
    const { context, inputs } = world({}, { stdin: 'Say\0hello' });
    expect(await statusOf(prompt.run(context, givenArguments(['-'])))).toEqual([2, expect.stringContaining('no text')]);
    expect(inputs('leads.send')).toEqual([]);
  });
});

describe('espalier tail', () => {
  test('prints the transcript; JSON has one entry a line', async () => {
    const { context, seen } = world();
    expect(await tail.run(context, givenArguments(['run_1'], { json: true }))).toBe(0);
    expect(
      seen.out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Entry).text),
    ).toEqual(['one', 'two']);
  });

  test('text is told apart by who wrote it, and cannot act on the terminal', async () => {
    const call: EntryMeta = {
      ...{ type: 'tool_call', call_id: 'c', name: 'bash', title: 'Running ls', arguments: '{}' },
      ...{ status: 'ok', display: null, seconds: 1 },
    };
    const entries = [
      entry(0, 'Do it', { meta: { type: 'user', origin: 'goal', steer_id: null } }),
      entry(1, 'a.ts\u001b]0;title\u0007', { meta: call }),
      entry(2, 'Careful', { meta: { type: 'notice', level: 'warning' } }),
      entry(3, 'new', { meta: { type: 'hologram' } }),
    ];
    const { context, seen } = world({ 'transcript.page': () => ({ entries, entry_count: 4 }) });
    await tail.run(context, givenArguments(['run_1']));
    expect(seen.out).toBe('> goal\n> Do it\n● Running ls\n  a.ts\n! Careful\n[hologram]\n  new\n');
  });

  test('--follow prints what comes, whole lines at once, fills gaps, and ends with the run', async () => {
    const stored = [entry(0, 'one')];
    const page = ({ from }: { from: number }) => ({
      entries: stored.filter((one) => one.entry >= from),
      entry_count: stored.length,
    });
    const { context, core, publish, seen } = world({ 'transcript.page': page });
    const running = tail.run(context, givenArguments(['run_1'], { follow: true }));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'entry', entry: entry(1, 'two\nthr', { ended: false }) });
    await expect.poll(() => seen.out).toBe('one\ntwo\n');
    publish({ type: 'delta', run_id: 'run_1', entry: 1, offset: 7, text: 'ee\n' });
    await expect.poll(() => seen.out).toBe('one\ntwo\nthree\n');
    publish(
      { type: 'delta', run_id: 'run_1', entry: 1, offset: 10, text: 'end' },
      { type: 'entry_end', run_id: 'run_1', entry: 1 },
    );
    await expect.poll(() => seen.out).toBe('one\ntwo\nthree\nend\n');
    stored.push(entry(1, 'two\nthree\nend'), entry(2, 'missed'), entry(3, 'last'));
    publish({ type: 'entry', entry: entry(3, 'last') });
    await expect.poll(() => seen.out).toBe('one\ntwo\nthree\nend\nmissed\nlast\n');
    publish({ type: 'run', row: runRow({ state: 'ended' }) });
    expect(await running).toBe(0);
    expect(core.hub.subscriptions).toBe(0);
  });

  test('D5: a core that goes with the end of the run is no fault, one that goes before it is status 3; what is stored is read', async () => {
    for (const [state, status] of [
      ['ended', 0],
      ['running', 3],
    ] as const) {
      const stored = [entry(0, 'one')];
      let row = runRow();
      const { context, core, seen } = world({
        'transcript.page': ({ from }: { from: number }) => ({ entries: stored.slice(from), entry_count: 2 }),
        'runs.show': () => ({ run: row, result: null, steers: [] }),
      });
      const running = statusOf(tail.run(context, givenArguments(['run_1'], { follow: true })));
      await expect.poll(() => core.hub.subscriptions).toBe(1);
      row = runRow({ state });
      stored.push(entry(1, 'two'));
      core.hub.close();
      expect([[await running].flat()[0], seen.out]).toEqual([status, 'one\ntwo\n']);
    }
  });

  test('--follow ends when nobody reads it any more, though the run goes on', async () => {
    let unread = false;
    const page = () => ({ entries: [], entry_count: 0 });
    const { context, core, publish, seen } = world({ 'transcript.page': page }, { unread: () => unread });
    const running = tail.run(context, givenArguments(['run_1'], { follow: true }));
    await expect.poll(() => core.hub.subscriptions).toBe(1);
    publish({ type: 'entry', entry: entry(0, 'one') });
    await expect.poll(() => seen.out).toBe('one\n');
    unread = true;
    publish({ type: 'entry', entry: entry(1, 'two') });
    expect(await running).toBe(0);
  });
});

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

  test('projects are named by id or folder', async () => {
    const { context, seen, inputs } = world({
      'projects.trust': () => ({ ...PROJECT, trusted: true }),
      'projects.remove': () => ({ done: true }),
    });
    expect(await projects.add(context, givenArguments(['sub']))).toBe(0);
    expect(inputs('projects.add')).toEqual([{ path: '/project/sub' }]);
    await projects.trust(context, givenArguments(['.']));
    await projects.trust(context, givenArguments(['proj_1'], { revoke: true }));
    expect(inputs('projects.trust')).toEqual([
      { project_id: 'proj_1', trusted: true },
      { project_id: 'proj_1', trusted: false },
    ]);
    expect(await projects.remove(context, givenArguments(['proj_1']))).toBe(0);
    expect(await statusOf(projects.remove(context, givenArguments(['other'])))).toEqual([1, expect.any(String)]);
    expect(seen.out).toContain('proj_1  project  trusted, git  /project');
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
    await config.set(context, givenArguments(['limits.concurrency', '4']));
    await config.set(context, givenArguments(['defaultModel', 'p/m']));
    expect(inputs('settings.set')).toEqual([
      { key: 'limits.concurrency', value: 4 },
      { key: 'defaultModel', value: 'p/m' },
    ]);
  });
});

describe('espalier serve', () => {
  const url = 'http://127.0.0.1:9/#token=t';

  test('where a core runs it is asked to listen, its address is printed, and it stays until Ctrl-C all the same', async () => {
    const { context, seen, inputs, interrupt } = world({ 'app.listen': () => ({ url }) });
    const running = serve.run(context, givenArguments([], { json: true, port: '9' }));
    await expect.poll(() => seen.notes.join()).toContain('Another process hosts the core and this address.');
    expect(JSON.parse(seen.out)).toEqual({ url, pid: 7, home: '/home/of/espalier' });
    expect(inputs('app.listen')).toEqual([{ port: 9, host: '127.0.0.1' }]);
    expect(seen.closed).toBe(0);
    interrupt();
    expect(await running).toBe(0);
    expect(seen.closed).toBe(1);
  });

  test('D2: when that core ends its place is taken, at the same address with the same token, as soon as that can be', async () => {
    const goes = Promise.withResolvers<void>();
    const hosted = { clients: () => 0, liveRuns: () => 0, atWork: () => 0 };
    const more = { hosted, goes: goes.promise, refusals: 1 };
    const { context, seen, interrupt } = world({ 'app.listen': () => ({ url }) }, more);
    const running = serve.run(context, givenArguments([]));
    await expect.poll(() => seen.notes).toHaveLength(1);
    goes.resolve();
    await expect
      .poll(() => seen.notes.slice(1), { timeout: 10_000 })
      .toEqual([
        'The web app is not served just now. Port 9 is in use.',
        'The core has ended; process 7 has taken its place, at the same address.',
      ]);
    const same = { port: 9, host: '127.0.0.1', token: 't' };
    expect(seen.served).toEqual([{ port: 0, host: '127.0.0.1' }, same, same]);
    expect(seen.out).toBe(`${url}\n`);
    interrupt();
    expect(await running).toBe(0);
  });

  test('else it stays until Ctrl-C, and says that live runs go on', async () => {
    const hosted = { clients: () => 0, liveRuns: () => 2, atWork: () => 2 };
    const { context, seen, interrupt } = world({}, { hosted });
    const running = serve.run(context, givenArguments([]));
    await expect.poll(() => seen.out).toBe(`${SERVED_HERE}\n`);
    expect(seen.closed).toBe(0);
    interrupt();
    expect(await running).toBe(0);
    expect(seen.notes).toEqual(['2 runs go on without the core; the next start takes up what they do meanwhile.']);
    expect(seen.closed).toBe(1);
  });
});
