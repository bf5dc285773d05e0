import { expect, test } from 'vitest';
import { value } from '../../../testing/core-lab.ts';
import { ModelLab } from '../../../testing/model-lab.ts';
import { patience } from '../../../testing/patience.ts';
import { until } from '../../../testing/process-trees.ts';

const CALLER = { client: 'test' };

const SCHEMA = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };

const transcript = async (lab: ModelLab, run_id: string): Promise<string> => {
  const { entries } = value(await lab.service.transcript.page({ run_id, from: 0, limit: 100 }, CALLER));
  return entries.map(({ text }) => text).join('\n');
};

test('case 18: a worker that is killed in a turn → failed, process died, within 2 s; its sibling goes on, and a retry works', async () => {
  await using lab = await ModelLab.open([
    {
      match: { user: 'Killed' },
      by: 'requests',
      turns: [[{ text: 'Half of it' }, { wait_for: 'never' }, { text: '.' }], 'Whole.'],
    },
    { match: { user: 'Sibling' }, turns: [[{ wait_for: 'go' }, { text: 'I went on.' }]] },
  ]);
  const set = await lab.dispatch([{ goal: 'Killed in the middle' }, { goal: 'Sibling of the killed' }]);
  const [killed = '', sibling = ''] = set.run_ids;
  await lab.model.waitForGate('go');
  await until('its text', async () => (await transcript(lab, killed)).includes('Half of it'));
  const { pid } = await lab.lab.row(killed);
  process.kill(pid ?? Number.NaN, 'SIGKILL');
  await until('its end', async () => (await lab.lab.row(killed)).state === 'ended', patience(2000));
  const row = await lab.lab.row(killed);
  expect(row).toMatchObject({ outcome: 'failed', exit_reason: 'process_died', failure_reason: 'process' });
  expect(row.failure_line).toContain('Killed in the middle — ');
  expect(await transcript(lab, killed)).toContain('Half of it');
  expect(await lab.state(sibling)).toBe('running');
  lab.model.release('go');
  expect((await lab.lab.ended(set)).status).toBe('partial');
  const again = value(await lab.runs.retry({ run_id: killed, client_token: 'again' }));
  await lab.until(again.run_id, 'ended');
  expect(await lab.lab.row(again.run_id)).toMatchObject({ outcome: 'completed', summary: 'Whole.' });
});

test('B08: an error event in a good stream is tried again, once, without doubling the text; without end it fails and keeps it', async () => {
  const busy = { type: 'overloaded_error', message: 'busy' };
  await using lab = await ModelLab.open(
    [
      {
        match: { user: 'Once' },
        turns: [[{ text: 'Partial. ' }, { stream_error: busy, times: 1 }, { text: 'Whole.' }]],
      },
      { match: { user: 'Always' }, turns: [[{ text: 'Partial. ' }, { stream_error: busy }]] },
      { match: { user: 'First' }, turns: [{ stream_error: busy }] },
      { match: { user: 'Cut' }, turns: [[{ text: 'Partial. ' }, { end_without_stop: true }]] },
    ],
    { retries: 2 },
  );
  const set = await lab.dispatch([
    { goal: 'Once an error' },
    { goal: 'Always an error' },
    { goal: 'First an error' },
    { goal: 'Cut without a stop' },
  ]);
  const { results } = await lab.lab.ended(set);
  expect(results.map(({ status, failure_reason }) => failure_reason ?? status)).toEqual([
    'completed',
    'overloaded',
    'overloaded',
    'network',
  ]);
  expect(results[0]?.summary).toBe('Partial. Whole.');
  expect(results.slice(1).map(({ text_cut }) => text_cut ?? false)).toEqual([true, false, true]);
  expect(results[1]).toMatchObject({ summary: 'Partial. ', error: expect.stringContaining('busy') });
  expect((await transcript(lab, set.run_ids[1] ?? '')).split('Partial. ').length - 1).toBeLessThanOrEqual(2);
});

test('cases 21, 22, B16: an invalid output has one repair turn, with the errors and not the schema; its parent waits for it, though the sibling is done', async () => {
  const tasks = [{ goal: 'Structured child', output_schema: SCHEMA }, { goal: 'Sibling without a schema' }];
  await using lab = await ModelLab.open([
    {
      name: 'child',
      match: { user: 'Structured' },
      turns: ['```json\n{"a":"1"}\n```', [{ wait_for: 'repair' }, { text: 'Here: {"a":2}. Hope it helps' }]],
    },
    { match: { user: 'Sibling' }, turns: ['Done at once.'] },
    {
      name: 'parent',
      turns: [{ tool_call: { name: 'delegate_task', arguments: { wait: true, tasks } } }, 'All done.'],
    },
  ]);
  const set = await lab.dispatch([{ goal: 'Parent of both' }]);
  await lab.model.waitForGate('repair');
  const rows = async () => value(await lab.service.conversations.show({ id: set.conversation_id }, CALLER)).runs;
  await until('the sibling to end', async () => (await rows()).some(({ outcome }) => outcome === 'completed'));
  expect(await lab.state(set.run_ids[0] ?? '')).toBe('waiting: children');
  lab.model.release('repair');
  await lab.lab.ended(set);
  const [first, repair] = lab.model.requests.filter(({ conversation }) => conversation === 'child');
  const said = repair?.request.texts.at(-1)?.text ?? '';
  expect(said).toMatch(/\/a must be integer/);
  expect(said).not.toContain('"properties"');
  expect(first).toBeDefined();
  const ended = await Promise.all(
    (await rows()).slice(1).map(({ run_id }) => lab.runs.show({ id: run_id }).then(value)),
  );
  const [child, sibling] = ended.map(({ result }) => result);
  expect(child).toMatchObject({
    status: 'completed',
    output: { a: 2 },
    schema_valid: true,
    schema_retries: 1,
    turns: 2,
  });
  expect(Object.keys(sibling ?? {}).filter((key) => key.startsWith('schema') || key === 'output')).toEqual([]);
  const [parent] = await rows();
  for (const { run } of ended) expect(parent?.ended_at).toBeGreaterThanOrEqual(run.ended_at ?? Number.NaN);
  const told = lab.model.requests.findLast(({ conversation }) => conversation === 'parent')?.request.texts.at(-1)?.text;
  expect(told).toContain('output: {"a":2}');
});

test('case 24, B36: what a parent and its three children used is counted once each, in rows, result and conversation', async () => {
  const usage = { usage: { input: 1_000, output: 100 } };
  const goals = ['Child one of three', 'Child two of three', 'Child three of three'];
  const call = { name: 'delegate_task', arguments: { wait: true, tasks: goals.map((goal) => ({ goal })) } };
  await using lab = await ModelLab.open([
    { match: { user: 'Child' }, turns: [[usage, { text: 'Done.' }]] },
    {
      turns: [
        [usage, { tool_call: call }],
        [usage, { text: 'All done.' }],
      ],
    },
  ]);
  const set = await lab.dispatch([{ goal: 'Parent of three' }]);
  const result = await lab.lab.ended(set);
  // By hand: 1,000 at $1 and 100 at $10 a million are $0.002 a request; two of the parent, one of each child.
  const each = 0.002;
  expect(result.results[0]?.cost_usd).toBeCloseTo(2 * each, 9);
  expect(result.totals.cost_usd).toBeCloseTo(5 * each, 9);
  const { conversation, runs } = value(await lab.service.conversations.show({ id: set.conversation_id }, CALLER));
  expect(runs.map(({ cost_usd }) => cost_usd)).toEqual([2 * each, each, each, each]);
  expect(runs[0]?.total_cost_usd).toBeCloseTo(5 * each, 9);
  expect(conversation.cost_usd).toBeCloseTo(5 * each, 9);
  await lab.restart();
  const after = value(await lab.service.sets.show({ id: set.delegation_id }, CALLER));
  expect(after.result?.totals).toEqual(result.totals);
});
