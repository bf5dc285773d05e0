import { expect, test } from 'vitest';
import { ModelLab } from '../../../testing/model-lab.ts';

test('R8, B12: a Retry-After that one worker gets holds all workers on the key, also one that starts later', async () => {
  // So long that the later one is there before it is over, however slow the machine.
  await using lab = await ModelLab.open([
    {
      name: 'first',
      match: { user: 'First' },
      turns: [[{ fault: { status: 429, headers: { 'retry-after': '600' } }, times: 1 }, { text: 'Never said.' }]],
    },
    { name: 'third', match: { user: 'Third' }, turns: ['Never said either.'] },
  ]);
  const first = await lab.dispatch([{ goal: 'First thing to do' }]);
  const held = await lab.until(first.run_ids[0] ?? '', 'waiting: rate_limit');
  const later = await lab.dispatch([{ goal: 'Third thing to do' }]);
  const waiting = await lab.until(later.run_ids[0] ?? '', 'waiting: rate_limit');
  // Each adds its own spread to what was asked for, at most a fifth of a minute.
  const asked = (lab.model.requests[0]?.arrivedAt ?? 0) + 600_000;
  for (const { until } of [held, waiting]) {
    expect(until).toBeGreaterThanOrEqual(asked - 5);
  }
  expect(lab.model.requests.map(({ conversation }) => conversation)).toEqual(['first']);
});

test('R8: a worker that is at work hears of a hold that another one found', async () => {
  await using lab = await ModelLab.open([
    {
      name: 'first',
      match: { user: 'First' },
      turns: [
        [
          { wait_for: 'first' },
          { fault: { status: 429, headers: { 'retry-after': '2' } }, times: 1 },
          { text: 'First done.' },
        ],
      ],
    },
    {
      name: 'second',
      match: { user: 'Second' },
      turns: [[{ wait_for: 'second' }, { tool_call: { name: 'ls', arguments: {} } }], 'Second done.'],
    },
  ]);
  const set = await lab.dispatch([{ goal: 'First thing to do' }, { goal: 'Second thing to do' }]);
  const [one = '', two = ''] = set.run_ids;
  await Promise.all([lab.model.waitForGate('first'), lab.model.waitForGate('second')]);
  lab.model.release('first');
  await lab.until(one, 'waiting: rate_limit');
  lab.model.release('second');
  await lab.until(two, 'waiting: rate_limit');
  const { results } = await lab.lab.ended(set);
  expect(results.map(({ status }) => status)).toEqual(['completed', 'completed']);
});
