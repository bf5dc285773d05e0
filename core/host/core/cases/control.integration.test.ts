import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostProcesses, processIdentity } from '../../../kit/process-tree/host-processes.ts';
import { CoreLab, isAlive, value } from '../../../testing/core-lab.ts';
import { ModelLab } from '../../../testing/model-lab.ts';
import { until } from '../../../testing/process-trees.ts';

const CALLER = { client: 'test' };

const bash = (command: string) => ({ tool_call: { name: 'bash', arguments: { command } } });
const control = (args: Record<string, unknown>) => ({ tool_call: { name: 'delegate_task', arguments: args } });
const spawn = (wait: boolean, ...goals: string[]) => control({ wait, tasks: goals.map((goal) => ({ goal })) });

const runsOf = async (lab: ModelLab, id: string) => value(await lab.service.conversations.show({ id }, CALLER)).runs;

/** All tool results that a scripted conversation was given in its last request, in order. */
function toolResults(lab: ModelLab, conversation: string): string[] {
  const last = lab.model.requests.findLast((entry) => entry.conversation === conversation);
  return (last?.request.texts ?? []).filter(({ role }) => role === 'tool').map(({ text }) => text);
}

test('case 28: stop one → its partial text is kept, its children stop, nothing starts below it, and its sibling goes on', async () => {
  await using lab = await ModelLab.open([
    {
      name: 'child',
      match: { user: 'Child' },
      turns: [[{ text: 'Half of ' }, { wait_for: 'never' }, { text: 'it.' }]],
    },
    { name: 'sibling', match: { user: 'Sibling' }, turns: [[{ wait_for: 'sibling' }, { text: 'I went on.' }]] },
    {
      name: 'parent',
      turns: [[{ text: 'I begin.' }, spawn(true, 'Child one of two', 'Child two of two')], 'Never said.'],
    },
  ]);
  const set = await lab.dispatch([{ goal: 'Parent of two children' }, { goal: 'Sibling of the parent' }]);
  const [parent = '', sibling = ''] = set.run_ids;
  await lab.model.waitForGate('sibling');
  await lab.until(parent, 'waiting: children');
  const written = async (run_id: string): Promise<boolean> => {
    const { entries } = value(await lab.service.transcript.page({ run_id, from: 0, limit: 10 }, CALLER));
    return entries.some(({ text }) => text.includes('Half of'));
  };
  await until('both children to write', async () => {
    const rows = (await runsOf(lab, set.conversation_id)).filter(({ parent_run_id }) => parent_run_id === parent);
    return rows.length === 2 && (await Promise.all(rows.map(({ run_id }) => written(run_id)))).every(Boolean);
  });
  const receipt = value(await lab.runs.stop({ id: parent }));
  expect(receipt.survivors).toEqual([]);
  const children = (await runsOf(lab, set.conversation_id)).filter(({ parent_run_id }) => parent_run_id === parent);
  expect([...receipt.run_ids].sort()).toEqual([parent, ...children.map(({ run_id }) => run_id)].sort());
  for (const row of [...children, await lab.lab.row(parent)]) {
    expect(row).toMatchObject({ state: 'ended', outcome: 'stopped', words: 'Stopped', proof: { method: 'observed' } });
  }
  expect(children.map(({ summary, text_cut }) => [summary, text_cut])).toEqual([
    ['Half of ', true],
    ['Half of ', true],
  ]);
  const requests = lab.model.requests.length;
  expect(await lab.state(sibling)).toBe('running');
  lab.model.release('sibling');
  const { results, status } = await lab.lab.ended(set);
  expect(results.map(({ summary }) => summary)).toEqual(['I begin.', 'I went on.']);
  expect(status).toBe('stopped');
  expect(lab.model.requests).toHaveLength(requests);
});

test('case 29: what a tool left behind in every way is gone after the stop, and the receipt is observed', async () => {
  const goal =
    "trap '' TERM; (trap '' TERM; sleep 300) & setsid sleep 300 & nohup sleep 300 >/dev/null 2>&1 & echo $! > pid; wait; sleep 300";
  await using lab = await ModelLab.open([{ turns: [bash(goal), 'Never said.'] }], {
    limits: { stopGraceSeconds: 0.2 },
  });
  const set = await lab.dispatch([{ goal: 'Leave much behind' }]);
  const file = join(lab.lab.git.project, 'pid');
  await until('the tool to run', () => /^\d+\n/.test(lab.lab.read(file) ?? ''));
  const left = await processIdentity(Number(lab.lab.read(file)));
  expect(left).not.toBeNull();
  const receipt = value(await lab.runs.stop({ id: set.run_ids[0] ?? '' }));
  expect(receipt).toMatchObject({ survivors: [] });
  expect(receipt.ended.map(({ pid }) => pid)).toContain(left?.pid);
  expect(await lab.lab.row(set.run_ids[0] ?? '')).toMatchObject({ outcome: 'stopped', proof: { method: 'observed' } });
  expect(await hostProcesses().living(left === null ? [] : [left])).toEqual([]);
});

test('case 30: steers from before the start, while streaming and in a tool are in the next request, once; after the end refused', async () => {
  await using lab = await ModelLab.open(
    [
      {
        turns: [
          [{ text: 'Thinking. ' }, { wait_for: 'stream' }, bash('touch here; until [ -f go ]; do sleep 0.02; done')],
          'Done.',
        ],
      },
    ],
    { limits: { concurrency: 1 } },
  );
  value(await lab.runs.pause({ id: null }));
  const set = await lab.dispatch([{ goal: 'Listen to what I say' }]);
  const [run = ''] = set.run_ids;
  await lab.steer(run, 'Said before the start.');
  value(await lab.runs.resume({ id: null }));
  await lab.model.waitForGate('stream');
  await lab.steer(run, 'Said while streaming.');
  lab.model.release('stream');
  await until('the tool to run', () => existsSync(join(lab.lab.git.project, 'here')));
  await lab.steer(run, 'Said in a tool.');
  lab.lab.git.write('go', '');
  const result = await lab.lab.result(set);
  expect(result).not.toHaveProperty('missed_steer');
  const texts = lab.model.requests.map(({ request }) => request.texts.map(({ text }) => text).join('\n'));
  expect(texts[0]).toContain('Said before the start.');
  expect(texts[0]).not.toContain('Said while streaming.');
  for (const text of ['Said before the start.', 'Said while streaming.', 'Said in a tool.']) {
    expect(texts[1]?.split(text)).toHaveLength(2);
  }
  const { steers } = value(await lab.runs.show({ id: run }));
  expect(steers.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  const late = await lab.runs.steer({ run_id: run, text: 'Too late.', mode: 'steer', client_token: 'late' });
  expect(late.ok).toBe(false);
});

test('case 30: a steer that no request carried any more is missed, with its text, when the run fails', async () => {
  const fault = { status: 400, message: 'no' };
  await using lab = await ModelLab.open([{ turns: [[{ wait_for: 'fail' }, { fault }]] }]);
  const set = await lab.dispatch([{ goal: 'Fail before you hear me' }]);
  const [run = ''] = set.run_ids;
  await lab.model.waitForGate('fail');
  await lab.steer(run, 'Do it otherwise.');
  lab.model.release('fail');
  expect(await lab.lab.result(set)).toMatchObject({ status: 'failed', missed_steer: ['Do it otherwise.'] });
  expect(value(await lab.runs.show({ id: run })).steers).toMatchObject([{ state: 'missed', text: 'Do it otherwise.' }]);
});

test('case 32: a run that lists, steers or stops a foreign run is told the same as for an unknown id', async () => {
  const [foreign, unknown] = ['{FOREIGN}', 'run_ffffffffffff'];
  await using lab = await ModelLab.open([{ turns: ['Never asked.'] }]);
  lab.model.setScript({ conversations: [{ turns: [[{ wait_for: 'never' }, { text: 'x' }]] }] });
  const other = await lab.dispatch([{ goal: 'A run of somebody else' }]);
  const [otherRun = ''] = other.run_ids;
  await lab.model.waitForGate('never');
  const ask = (action: string) => [otherRun, unknown].map((run_id) => control({ action, run_id, message: 'Hear me.' }));
  lab.model.setScript({
    conversations: [{ name: 'nosy', turns: [[control({ action: 'list' }), ...ask('steer'), ...ask('stop')], 'Done.'] }],
  });
  await lab.lab.ended(await lab.dispatch([{ goal: 'Meddle with others' }]));
  const [list, ...answers] = toolResults(lab, 'nosy');
  expect(list).toContain('"count":0');
  expect(list).not.toContain(otherRun);
  const same = answers.map((text) => text.replaceAll(otherRun, foreign).replaceAll(unknown, foreign));
  expect(new Set(same).size).toBe(1);
  expect(same[0]).toContain(foreign);
  expect(await lab.state(otherRun)).toBe('running');
  expect(value(await lab.runs.show({ id: otherRun })).steers).toEqual([]);
  await lab.lab.stop(otherRun);
});

test('case 33: a stop while queued, waiting for the provider and repairing a schema ends the run at once, and nothing follows', async () => {
  const wait = { status: 429, message: 'slow down', headers: { 'retry-after': '600' } };
  const output_schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
  await using lab = await ModelLab.open([
    { match: { user: 'Limited' }, turns: [{ fault: wait }] },
    {
      name: 'repair',
      match: { user: 'Structured' },
      turns: ['No object.', [{ wait_for: 'repair' }, { text: '{"a":1}' }]],
    },
  ]);
  const structured = await lab.dispatch([{ goal: 'Structured output', output_schema }]);
  const [repairing = ''] = structured.run_ids;
  await lab.model.waitForGate('repair');
  // R8: a wait for the provider would hold whoever else uses the key, so it begins when the repair is under way.
  const set = await lab.dispatch([{ goal: 'Limited by the provider' }, { goal: 'Limited, and queued' }], {
    max_concurrent: 1,
  });
  const [limited = '', queued = ''] = set.run_ids;
  await lab.until(limited, 'waiting: rate_limit');
  expect(await lab.state(queued)).toBe('queued: concurrency');
  for (const run of [queued, limited, repairing]) {
    expect(value(await lab.runs.stop({ id: run }))).toMatchObject({ run_ids: [run], survivors: [] });
  }
  const requests = lab.model.requests.length;
  const { results, status } = await lab.lab.ended(set);
  expect(status).toBe('stopped');
  expect(results.map(({ status: one }) => one)).toEqual(['stopped', 'stopped']);
  expect(await lab.lab.result(structured)).toMatchObject({ status: 'stopped' });
  expect(await lab.lab.row(queued)).toMatchObject({ started_at: null, attempts: 0 });
  await lab.restart();
  expect(lab.model.requests).toHaveLength(requests);
});

test('case 33: a stop while its worker is starting ends the run at once, with the process, and nothing starts later', async () => {
  await using lab = new CoreLab();
  const [silent, pidFile] = [join(lab.git.root, 'silent.mjs'), join(lab.git.root, 'pid')];
  writeFileSync(
    silent,
    `import { renameSync, writeFileSync } from 'node:fs';
    writeFileSync('${pidFile}.part', String(process.pid));
    renameSync('${pidFile}.part', '${pidFile}');
    setInterval(() => undefined, 1000);`,
  );
  await lab.host({ workerEntry: silent });
  const set = await lab.dispatch([`touch '${lab.git.root}/ran'`], { defaults: { isolation: 'none' } });
  const [run = ''] = set.run_ids;
  await until('its worker', () => existsSync(pidFile));
  expect(await lab.row(run)).toMatchObject({ state: 'starting' });
  expect(await lab.stop(run)).toMatchObject({ run_ids: [run], survivors: [] });
  expect(await lab.row(run)).toMatchObject({ state: 'ended', outcome: 'stopped', attempts: 1 });
  expect(await isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  await lab.leave();
  await lab.host();
  expect(await lab.run('true', { defaults: { isolation: 'none' } })).toMatchObject({ status: 'completed' });
  expect(await lab.row(run)).toMatchObject({ outcome: 'stopped', attempts: 1 });
  expect(existsSync(join(lab.git.root, 'ran'))).toBe(false);
});

test('C4: what a command has left running is ended with its run and listed in the result', async () => {
  await using lab = await ModelLab.open([{ turns: [bash('sleep 304 > /dev/null 2>&1 & echo $! > child'), 'Done.'] }]);
  const set = await lab.dispatch([{ goal: 'Leave something' }], { defaults: { permission: 'auto' } });
  const { background } = await lab.lab.result(set);
  const pid = Number(readFileSync(join(lab.lab.git.project, 'child'), 'utf8'));
  expect(background).toEqual([{ pid, command: expect.stringContaining('sleep 304') as string }]);
  expect(await isAlive(pid)).toBe(false);
});

test('case 33: a stop during a permission wait closes the ask and runs nothing', async () => {
  await using lab = await ModelLab.open([{ turns: [bash('touch ran'), 'Done.'] }]);
  const feed = lab.lab.core.hub.subscribe({ client: 'desk', can_answer: true, scopes: [{ type: 'app' }] });
  const set = await lab.dispatch([{ goal: 'Ask me first' }], { defaults: { permission: 'ask' } });
  const [run = ''] = set.run_ids;
  await lab.until(run, 'waiting: permission');
  value(await lab.runs.stop({ id: run }));
  expect(await lab.lab.row(run)).toMatchObject({ outcome: 'stopped' });
  expect(value(await lab.service.asks.list(undefined, CALLER)).filter(({ state }) => state === 'open')).toEqual([]);
  expect(existsSync(join(lab.lab.git.project, 'ran'))).toBe(false);
  await feed.return(undefined);
});

test('T1: model and agent of a lead change between messages: a new run goes on with its session, and the old one ends as completed', async () => {
  const turns = ['First answer.', 'Second answer.', 'Third answer.', 'Fourth answer.'];
  await using lab = await ModelLab.open([{ name: 'lead', turns }], (url) => {
    const price = { input: 1, output: 10 };
    const models = { 'scripted-model': { price }, 'other-model': { price } };
    return { providers: { scripted: { kind: 'anthropic', baseUrl: `${url}/v1`, models } } };
  });
  const project_id = await lab.lab.project();
  const say = async (conversation_id: string | null, text: string, options: object) => {
    const input = { project_id, conversation_id, text, options, client_token: lab.token() };
    const sent = value(await lab.service.leads.send(input, CALLER));
    await lab.until(sent.run_id, 'waiting: user');
    return sent;
  };
  const { conversation_id, run_id: first } = await say(null, 'Hello there', {});
  const { run_id: second } = await say(conversation_id, 'And now', { model: 'scripted/other-model' });
  expect(second).not.toBe(first);
  expect(lab.model.requests.at(-1)?.model).toBe('other-model');
  expect(lab.lastTexts()).toEqual(expect.arrayContaining(['assistant: First answer.', 'user: And now']));
  expect(await lab.lab.row(first)).toMatchObject({ state: 'ended', outcome: 'completed', continued_by: second });
  const { run_id: third } = await say(conversation_id, 'Look only', { agent: 'explorer' });
  expect(await lab.lab.row(third)).toMatchObject({ agent: 'explorer', continues: second, lead: true });
  expect(lab.lastTexts()).toEqual(expect.arrayContaining(['assistant: Second answer.', 'user: Look only']));
  expect(await say(conversation_id, 'Once more', { agent: 'explorer' })).toMatchObject({ run_id: third });
});
