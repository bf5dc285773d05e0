import { expect, test } from 'vitest';
import type { ConversationInput, StepInput } from '../../../scripted-model/script-input.ts';
import { value } from '../../../testing/core-lab.ts';
import { ModelLab } from '../../../testing/model-lab.ts';

const CALLER = { client: 'test' };

/** At $1 per million tokens of input. */
const costs = (usd: number): StepInput => ({ usage: { input: Math.round(usd * 1e6), output: 0 } });

const CHILD: ConversationInput = {
  match: { user: 'Child' },
  turns: [[{ wait_for: 'child' }, { text: 'Child done.' }, costs(0.01)]],
};

const delegate = (tasks: object[]): StepInput => ({
  tool_call: { name: 'delegate_task', arguments: { wait: true, tasks } },
});

const child = (n: number): object => ({ goal: `Child number ${n} of two`, limits: { max_cost_usd: 20 } });

const today = async (lab: ModelLab): Promise<number | null> =>
  value(await lab.service.app.info(undefined, CALLER)).cost_today_usd;

const runsOf = async (lab: ModelLab, id: string) => value(await lab.service.conversations.show({ id }, CALLER)).runs;

test('case 25: in a tree of $3 the first child holds 2.99, the second waits with the reason budget and starts when it ends', async () => {
  await using lab = await ModelLab.open(
    [
      CHILD,
      {
        turns: [
          [delegate([child(1), child(2)]), costs(0.01)],
          [{ text: 'Both are done.' }, costs(0.01)],
        ],
      },
    ],
    { limits: { treeCostUsd: 3 } },
  );
  const lead = await lab.say('Have two things done');
  await lab.model.waitForGate('child');
  const below = (await runsOf(lab, lead.conversation_id)).filter(({ depth }) => depth === 1);
  const [first = '', second = ''] = below.map(({ run_id }) => run_id);
  await lab.until(second, 'queued: budget');
  expect(await lab.lab.row(second)).toMatchObject({ words: 'Queued: for budget', attempts: 0 });
  expect(lab.model.requests).toHaveLength(2);
  lab.model.release('child', 1);
  await lab.until(first, 'ended');
  await lab.model.waitForGate('child');
  expect(await lab.lab.row(second)).toMatchObject({ state: 'running' });
  lab.model.release('child');
  await lab.until(lead.run_id, 'waiting: user');
  expect(await lab.lab.row(lead.run_id)).toMatchObject({ cost_usd: 0.02, total_cost_usd: 0.04 });
  expect(await lab.lab.row(second)).toMatchObject({ outcome: 'completed', cost_usd: 0.01 });
});

test('case 25: with nothing running and nothing left a run is refused at once, with what was spent and held', async () => {
  await using lab = await ModelLab.open([{ turns: [[{ text: 'Done.' }, costs(0.5)]], by: 'requests' }]);
  const set = await lab.dispatch([{ goal: 'Look at the first thing' }, { goal: 'Look at the second thing' }], {
    tree_limits: { max_cost_usd: 0.5 },
    max_concurrent: 1,
  });
  const { results, status, totals } = await lab.lab.ended(set);
  expect(status).toBe('partial');
  expect(totals.cost_usd).toBeCloseTo(0.5, 3);
  expect(results[1]).toMatchObject({
    status: 'failed',
    exit_reason: 'refused',
    failure_reason: 'budget',
    error: expect.stringMatching(/\$0\.50 of set 1 .*\$0\.5\d* spent, \$0\.00 held by runs at work/),
  });
  expect(lab.model.requests).toHaveLength(1);
});

test('case 33: a run that waits for budget is stopped at once, and survives a restart of the core as one that waits', async () => {
  await using lab = await ModelLab.open([CHILD], { limits: { treeCostUsd: 3 } });
  const set = await lab.dispatch([
    { goal: 'Child one of three' },
    { goal: 'Child two of three' },
    { goal: 'Child three of three' },
  ]);
  const [first = '', second = '', third = ''] = set.run_ids;
  await lab.model.waitForGate('child');
  await lab.until(third, 'queued: budget');
  value(await lab.service.runs.stop({ id: second }, CALLER));
  expect(await lab.lab.row(second)).toMatchObject({ outcome: 'stopped', attempts: 0 });
  await lab.restart();
  expect(await lab.state(third)).toBe('queued: budget');
  await lab.until(first, 'running');
  lab.model.release('child', 1);
  await lab.until(first, 'ended');
  await lab.model.waitForGate('child');
  lab.model.release('child');
  const { results } = await lab.lab.ended(set);
  expect(results.map(({ status }) => status)).toEqual(['completed', 'stopped', 'completed']);
});

test('R5: a worker that is killed during a request has spent at worst what that could cost, and it says that this is an estimate', async () => {
  await using lab = await ModelLab.open([CHILD]);
  const set = await lab.dispatch([{ goal: 'Child that is killed' }]);
  const [run = ''] = set.run_ids;
  await lab.model.waitForGate('child');
  const { pid, in_flight } = await lab.lab.rowWhen(run, 'its request to be known', (row) => row.in_flight != null);
  process.kill(pid ?? 0, 'SIGKILL');
  const result = await lab.lab.result(set);
  expect(result).toMatchObject({ status: 'failed', failure_reason: 'process', cost_status: 'estimated' });
  expect(result.cost_usd).toBe(in_flight?.cost_usd);
  expect(result.cost_usd).toBeGreaterThan(0.01);
  lab.model.release('child');
});

test('R5: what a day has cost is counted over conversations, survives a restart, and limits what starts', async () => {
  await using lab = await ModelLab.open([{ turns: [[{ text: 'Done.' }, costs(0.3)]], by: 'requests' }], {
    limits: { dayCostUsd: 0.6 },
  });
  for (const goal of ['Look at the first thing', 'Look at the second thing'])
    await lab.lab.result(await lab.dispatch([{ goal }]));
  const cost = await today(lab);
  expect(cost).toBeCloseTo(0.6, 3);
  await lab.restart();
  expect(await today(lab)).toBe(cost);
  const third = await lab.lab.result(await lab.dispatch([{ goal: 'Look at the third thing' }]));
  expect(third).toMatchObject({
    exit_reason: 'refused',
    error: expect.stringContaining('of today (limits.dayCostUsd)'),
  });
  value(await lab.service.settings.set({ key: 'limits.dayCostUsd', value: 2 }, CALLER));
  expect(await lab.lab.result(await lab.dispatch([{ goal: 'Look at the fourth thing' }]))).toMatchObject({
    status: 'completed',
  });
});

test('R5: money cannot be limited where a price is unknown: refused before anything starts', async () => {
  const models = { plain: { contextWindow: 1000 } };
  const local = { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', models };
  await using lab = await ModelLab.open([{ turns: ['Done.'] }], { limits: { treeCostUsd: 3 } });
  value(await lab.service.settings.set({ key: 'providers.local', value: local }, CALLER));
  await expect(lab.dispatch([{ goal: 'Look at one thing', model: 'local/plain' }])).rejects.toThrow(
    /limits\.treeCostUsd cannot be kept, as the price of "local\/plain" is unknown/,
  );
  expect(lab.model.requests).toHaveLength(0);
});
