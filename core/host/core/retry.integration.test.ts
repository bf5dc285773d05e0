import { expect, test } from 'vitest';
import { value } from '../../testing/core-lab.ts';
import { ModelLab } from '../../testing/model-lab.ts';
import { until } from '../../testing/process-trees.ts';

const CALLER = { client: 'test' };
/** A failure that no retry of the request mends, so often. */
const broken = (times: number) => ({ fault: { status: 500, message: 'It broke' }, times });
const NO_RETRIES = { retries: 0 };

const slotRow = async (lab: ModelLab, set: string) => value(await lab.sets.show({ id: set }));

test('C5: a retry runs in the same slot; its set is at work again, and its result has the new run', async () => {
  await using lab = await ModelLab.open(
    [{ match: { user: 'may break' }, turns: [[broken(1), { text: 'Now it works.' }]] }, { turns: ['I am well.'] }],
    NO_RETRIES,
  );
  const set = await lab.dispatch([{ goal: 'Do what may break', label: 'Fragile' }, { goal: 'Say that you are well' }]);
  const first = await lab.lab.ended(set);
  expect(first.results.map(({ status }) => status).sort()).toEqual(['completed', 'failed']);
  const failed = first.results.find(({ status }) => status === 'failed')?.run_id ?? '';
  const client_token = lab.token();
  const [retried, same] = await Promise.all([
    lab.runs.retry({ run_id: failed, client_token }),
    lab.runs.retry({ run_id: failed, client_token }),
  ]);
  expect(value(retried)).toEqual(value(same));
  expect(await lab.runs.retry({ run_id: failed, client_token: lab.token() })).toMatchObject({ ok: false });
  const second = await lab.lab.ended(set);
  expect(second).toMatchObject({ status: 'completed', totals: { completed: 2, failed: 0 } });
  const again = second.results.find(({ retry_of }) => retry_of === failed);
  expect(again).toMatchObject({ run_id: value(retried).run_id, summary: 'Now it works.' });
  expect((await slotRow(lab, set.delegation_id)).set).toMatchObject({ revision: 1, count: 2, ended: 2 });
  expect(await lab.lab.row(failed)).toMatchObject({ outcome: 'failed', retried_by: again?.run_id, seen: true });
});

test('C5: a retry with another goal and agent is checked like a new task', async () => {
  await using lab = await ModelLab.open([{ turns: [broken(9)] }], NO_RETRIES);
  const set = await lab.dispatch([{ goal: 'Do what breaks' }]);
  const [run_id = ''] = set.run_ids;
  await lab.lab.ended(set);
  const unknown = await lab.runs.retry({ run_id, agent: 'nobody', client_token: lab.token() });
  expect(unknown).toMatchObject({ ok: false, error: { code: 'invalid_batch', problems: [{ field: 'agent' }] } });
  const model = await lab.runs.retry({ run_id, model: 'nowhere/other', client_token: lab.token() });
  expect(model).toMatchObject({ ok: false, error: { code: 'invalid_batch', problems: [{ field: 'model' }] } });
  value(await lab.runs.retry({ run_id, goal: 'echo done', agent: 'command', client_token: lab.token() }));
  expect(await lab.lab.result(set)).toMatchObject({ status: 'completed', agent: 'command', summary: 'done' });
});

test('C5: the failed tasks of a set are tried again together', async () => {
  await using lab = await ModelLab.open([{ turns: [broken(9)] }]);
  const set = await lab.dispatch(
    ['test -f go', { goal: 'echo after', depends_on: ['first'] }, 'echo well', { id: 'first', goal: 'test -f go' }],
    { defaults: { agent: 'command' } },
  );
  expect(await lab.lab.ended(set)).toMatchObject({ status: 'partial' });
  lab.lab.git.write('go', '');
  const input = { delegation_id: set.delegation_id, client_token: lab.token() };
  expect(value(await lab.sets.retry(input)).runs).toHaveLength(3);
  expect(await lab.lab.ended(set)).toMatchObject({ status: 'completed', totals: { completed: 4 } });
});

test('T5: automatic retries, each a run of its own, are spent before the set ends; what depends on it starts after them', async () => {
  await using lab = await ModelLab.open(
    [{ match: { user: 'may break' }, turns: [[broken(1), { text: 'Well now.' }]] }, { turns: ['After it.'] }],
    NO_RETRIES,
  );
  const set = await lab.dispatch([
    { id: 'a', goal: 'Do what may break', retry: 2 },
    { goal: 'Go on with {outputs.a}', depends_on: ['a'] },
  ]);
  const { status, results, totals } = await lab.lab.ended(set);
  expect([status, totals.failed, totals.completed]).toEqual(['completed', 0, 2]);
  expect(results[0]).toMatchObject({ retry_of: set.run_ids[0], summary: 'Well now.' });
  const { runs } = value(await lab.service.conversations.show({ id: set.conversation_id }, CALLER));
  expect(runs.map(({ tag, outcome }) => `${tag} ${outcome}`).sort()).toEqual([
    '[set 1 · 1/2] completed',
    '[set 1 · 1/2] failed',
    '[set 1 · 2/2] completed',
  ]);
  expect((await slotRow(lab, set.delegation_id)).set.revision).toBe(0);
});

test('C5: a continued run goes on with the real session, in its slot, with what is left of its limits', async () => {
  await using lab = await ModelLab.open([{ turns: ['I keep the number 7.', 'It was 7.'] }]);
  const set = await lab.dispatch([{ goal: 'Keep the number 7', limits: { max_turns: 3 } }]);
  const [run_id = ''] = set.run_ids;
  await lab.lab.ended(set);
  const input = { run_id, text: 'Which number was it?', client_token: lab.token() };
  const next = value(await lab.runs.continue(input));
  expect(value(await lab.runs.continue(input))).toEqual(next);
  expect(await lab.runs.continue({ ...input, client_token: lab.token() })).toMatchObject({
    ok: false,
    error: { code: 'not_allowed' },
  });
  const result = await lab.lab.result(set);
  expect(result).toMatchObject({ run_id: next.run_id, continues: run_id, summary: 'It was 7.', turns: 1 });
  expect(lab.lastTexts()).toEqual([
    'user: Keep the number 7',
    'assistant: I keep the number 7.',
    'user: Which number was it?',
  ]);
  expect(await lab.lab.row(next.run_id)).toMatchObject({ max_turns: 2, tag: '[set 1]' });
  expect(await lab.lab.row(run_id)).toMatchObject({ continued_by: next.run_id });
  const { runs, totals } = value(await lab.service.conversations.show({ id: set.conversation_id }, CALLER));
  expect(totals.tokens.input).toBe(runs.reduce((sum, { tokens }) => sum + tokens.input, 0));
});

test('C5: a stopped run can be continued, also by the next core', async () => {
  await using lab = await ModelLab.open([
    { turns: [[{ tool_call: { name: 'ls', arguments: {} } }], [{ wait_for: 'never' }]] },
  ]);
  const set = await lab.dispatch([{ goal: 'Look around and wait' }]);
  const [run_id = ''] = set.run_ids;
  await lab.model.waitForGate('never');
  await lab.lab.stop(run_id);
  await lab.restart();
  lab.model.setScript({ conversations: [{ turns: ['Went on.'], repeat_last: true }] });
  value(await lab.runs.continue({ run_id, text: 'Go on, please.', client_token: lab.token() }));
  expect(await lab.lab.result(set)).toMatchObject({ status: 'completed', summary: 'Went on.', continues: run_id });
  expect(lab.lastTexts().at(-1)).toBe('user: Go on, please.');
});

test('T1: the next message to an ended lead continues it, and what was kept for it comes first', async () => {
  const call = { name: 'delegate_task', arguments: { tasks: [{ goal: 'A child that waits' }], wait: false } };
  await using lab = await ModelLab.open([
    { match: { user: 'A child' }, turns: [[{ wait_for: 'never' }]] },
    { turns: [[{ tool_call: call }], 'It runs.', 'I see that it was stopped.', 'Good evening.'] },
  ]);
  const { conversation_id, run_id: lead } = await lab.say('Delegate something');
  await lab.until(lead, 'waiting: user');
  await lab.model.waitForGate('never');
  await lab.lab.stop(lead);
  const { run_id: next } = await lab.say('Good morning', conversation_id);
  expect(next).not.toBe(lead);
  await until('both turns', () => lab.model.requests.length === 5);
  await lab.until(next, 'waiting: user');
  const users = lab.lastTexts().filter((text) => text.startsWith('user: '));
  expect(users).toHaveLength(3);
  expect(users[1]).toContain('A delegation in the background has ended.');
  expect(users[2]).toBe('user: Good morning');
  const { conversation } = value(await lab.service.conversations.show({ id: conversation_id }, CALLER));
  expect(conversation.lead_run_id).toBe(next);
  expect(await lab.lab.row(next)).toMatchObject({ continues: lead, lead: true, turns: 2 });
});

test('S8, case 54: a set that is at work grows by two; numbers stay, n rises, the same token adds once', async () => {
  await using lab = await ModelLab.open([{ turns: [[{ wait_for: 'go' }, { text: 'Done.' }]] }]);
  const set = await lab.dispatch([{ id: 'a', goal: 'The first task' }, { goal: 'The second task' }]);
  const { delegation_id } = set;
  await lab.model.waitForGate('go', 2);
  const client_token = lab.token();
  const batch = {
    tasks: [
      { id: 'c', goal: 'The third task' },
      { id: 'd', goal: 'The fourth task' },
    ],
  };
  const options = { model: 'scripted/scripted-model' };
  const [added, same] = await Promise.all([
    lab.sets.add({ delegation_id, batch, options, client_token }),
    lab.sets.add({ delegation_id, batch, options, client_token }),
  ]);
  expect(value(added)).toMatchObject({ count: 2, set: 1, delegation_id });
  expect(value(same)).toEqual(value(added));
  const taken = await lab.sets.add({
    delegation_id,
    batch: { tasks: [{ id: 'a', goal: 'Has an id that is taken' }] },
    client_token: lab.token(),
  });
  expect(taken).toMatchObject({ ok: false, error: { code: 'invalid_batch', problems: [{ field: 'id' }] } });
  const { set: row, runs } = await slotRow(lab, delegation_id);
  expect(row).toMatchObject({ count: 4, status: 'running' });
  expect(runs.map(({ tag }) => tag)).toEqual([1, 2, 3, 4].map((n) => `[set 1 · ${n}/4]`));
  expect(runs.slice(0, 2).map(({ run_id }) => run_id)).toEqual(set.run_ids);
  await lab.model.waitForGate('go', 4);
  await lab.restart();
  // Its own ids are taken now; it is the same command all the same (S7).
  expect(await lab.sets.add({ delegation_id, batch, options, client_token })).toEqual(added);
  expect((await slotRow(lab, delegation_id)).runs.map(({ tag }) => tag)[3]).toBe('[set 1 · 4/4]');
  lab.model.release('go');
  const ended = await lab.lab.ended(set);
  expect(ended).toMatchObject({ status: 'completed', totals: { completed: 4 } });
  const late = await lab.sets.add({ delegation_id, batch: ['One more task'], client_token: lab.token() });
  expect(late).toMatchObject({ ok: false, error: { code: 'already_ended' } });
});
