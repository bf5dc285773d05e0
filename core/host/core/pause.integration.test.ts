import { expect, test } from 'vitest';
import { value } from '../../testing/core-lab.ts';
import { ModelLab } from '../../testing/model-lab.ts';
import { until } from '../../testing/process-trees.ts';

const CALLER = { client: 'test' };
const LS = { tool_call: { name: 'ls', arguments: {} } };

/** A run that calls a tool once the gate `first` is open, and then answers. */
const TWO_TURNS = { turns: [[{ wait_for: 'first' }, LS], 'All done.'] };

const atWork = async (lab: ModelLab): Promise<number> => value(await lab.service.app.info(undefined, CALLER)).at_work;

test('case 31: with the app paused new sets wait with the reason paused, controls work, and it starts them in order', async () => {
  await using lab = await ModelLab.open([TWO_TURNS]);
  const { run_ids } = await lab.dispatch([{ goal: 'Work on the first thing' }]);
  const [running = ''] = run_ids;
  await lab.model.waitForGate('first');
  expect(value(await lab.runs.pause({ id: null })).note).toContain('nothing new starts');
  const later = await lab.dispatch(['echo 1 >> order.txt', 'echo 2 >> order.txt', 'sleep 60'], {
    defaults: { agent: 'command' },
    max_concurrent: 1,
  });
  const [one = '', two = '', three = ''] = later.run_ids;
  expect(await Promise.all(later.run_ids.map((run) => lab.state(run)))).toEqual(Array(3).fill('queued: paused'));
  expect(value(await lab.service.conversations.list({ all: true }, CALLER))).toHaveLength(2);
  expect(await lab.steer(running, 'Be brief.')).toMatchObject({ state: 'accepted' });
  expect(value(await lab.runs.stop({ id: three }))).toMatchObject({ run_ids: [three] });
  lab.model.release('first');
  await lab.until(running, 'ended');
  expect(lab.lastTexts()).toContain('user: Be brief.');
  await lab.restart();
  expect(value(await lab.service.app.info(undefined, CALLER)).paused).toBe(true);
  expect([await lab.state(one), await lab.state(two)]).toEqual(['queued: paused', 'queued: paused']);
  value(await lab.runs.resume({ id: null }));
  const { results } = await lab.lab.ended(later);
  expect(results.map(({ status }) => status)).toEqual(['completed', 'completed', 'stopped']);
  expect(lab.lab.read(`${lab.lab.git.project}/order.txt`)).toBe('1\n2\n');
});

test('R9: a run pauses at its next safe boundary, over a restart, gives its place back, and goes on where it was', async () => {
  await using lab = await ModelLab.open([TWO_TURNS]);
  const set = await lab.dispatch([{ goal: 'Work on the first thing' }]);
  const [run = ''] = set.run_ids;
  await lab.model.waitForGate('first');
  value(await lab.runs.pause({ id: run }));
  expect(await lab.lab.row(run)).toMatchObject({ state: 'running', paused: true });
  lab.model.release('first');
  const held = await lab.until(run, 'waiting: paused');
  expect(held).toMatchObject({ active_since: null, words: 'Waiting: paused' });
  await until('its place to be free', async () => (await atWork(lab)) === 0);
  // Its worker is there still, and a core in the background does not stay for it.
  expect([lab.lab.core.liveRuns(), lab.lab.core.atWork()]).toEqual([1, 0]);
  expect(lab.model.requests).toHaveLength(1);
  await lab.restart();
  expect(await lab.lab.row(run)).toMatchObject({ state: 'waiting', reason: 'paused', paused: true });
  await lab.steer(run, 'Say it in one word.');
  expect(value(await lab.service.conversations.list({ all: true }, CALLER))[0]).toMatchObject({ held: 1, working: 0 });
  value(await lab.runs.resume({ id: run }));
  const result = await lab.lab.result(set);
  expect(result).toMatchObject({ status: 'completed', summary: 'All done.', turns: 2 });
  expect(result).not.toHaveProperty('missed_steer');
  expect(lab.lastTexts().at(-1)).toBe('user: Say it in one word.');
  expect(await lab.lab.row(run)).toMatchObject({ paused: false, active_seconds: result.duration_seconds });
});

test('R9: a resume before the boundary lets the run go on as if nothing had been; a paused run can be stopped', async () => {
  await using lab = await ModelLab.open([
    { turns: [[{ wait_for: 'first' }, LS], [{ wait_for: 'second' }, LS], 'Done.'] },
  ]);
  const set = await lab.dispatch([{ goal: 'Work on the first thing' }]);
  const [run = ''] = set.run_ids;
  await lab.model.waitForGate('first');
  value(await lab.runs.pause({ id: run }));
  value(await lab.runs.resume({ id: run }));
  lab.model.release('first');
  await lab.model.waitForGate('second');
  value(await lab.runs.pause({ id: run }));
  lab.model.release('second');
  await lab.until(run, 'waiting: paused');
  expect(value(await lab.runs.stop({ id: run }))).toMatchObject({ run_ids: [run], survivors: [] });
  expect(await lab.lab.result(set)).toMatchObject({ status: 'stopped' });
  expect(await lab.lab.row(run)).toMatchObject({ paused: false });
});

test('R9: a command at work says that it cannot be paused; a set of commands holds those that wait', async () => {
  await using lab = await ModelLab.open([TWO_TURNS]);
  const set = await lab.dispatch(['until [ -f go ]; do sleep 0.02; done', 'echo second'], {
    defaults: { agent: 'command' },
    max_concurrent: 1,
  });
  const [first = '', second = ''] = set.run_ids;
  await lab.until(first, 'running');
  expect(await lab.runs.pause({ id: first })).toMatchObject({ ok: false, error: { code: 'not_pausable' } });
  value(await lab.runs.pause({ id: set.delegation_id }));
  expect(value(await lab.sets.show({ id: set.delegation_id })).set).toMatchObject({ paused: true, status: 'running' });
  lab.lab.git.write('go', '');
  await lab.until(first, 'ended');
  expect(await lab.state(second)).toBe('queued: paused');
  expect(await lab.runs.resume({ id: second })).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
  await lab.restart();
  expect(await lab.state(second)).toBe('queued: paused');
  value(await lab.runs.resume({ id: set.delegation_id }));
  await lab.until(second, 'ended');
});

test('R9: while a conversation is paused children of its runs wait, and their parent with them', async () => {
  const call = { name: 'delegate_task', arguments: { tasks: [{ goal: 'A child that says hello' }] } };
  await using lab = await ModelLab.open([
    { match: { user: 'A child' }, turns: ['Hello.'] },
    { turns: [[{ wait_for: 'first' }, { tool_call: call }], 'The child said hello.'] },
  ]);
  const set = await lab.dispatch([{ goal: 'Delegate it' }]);
  const [parent = ''] = set.run_ids;
  await lab.model.waitForGate('first');
  value(await lab.runs.pause({ id: set.conversation_id }));
  lab.model.release('first');
  await lab.until(parent, 'waiting: children');
  const childOf = async (): Promise<string | undefined> => {
    const { runs } = value(await lab.service.conversations.show({ id: set.conversation_id }, CALLER));
    return runs.find(({ parent_run_id }) => parent_run_id === parent)?.run_id;
  };
  await until('the child to be there', async () => (await childOf()) !== undefined);
  const child = (await childOf()) ?? '';
  expect(await lab.state(child)).toBe('queued: paused');
  await until('no place to be taken', async () => (await atWork(lab)) === 0);
  value(await lab.runs.resume({ id: set.conversation_id }));
  expect(await lab.lab.result(set)).toMatchObject({ status: 'completed', summary: 'The child said hello.' });
});
