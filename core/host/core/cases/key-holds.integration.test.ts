import { expect, test } from 'vitest';
import { ModelLab } from '../../../testing/model-lab.ts';

test('R8, B12: a Retry-After that one worker gets holds all workers on the key, also one that starts later', async () => {
  await using lab = await ModelLab.open([
    {
      name: 'first',
      match: { user: 'First' },
      turns: [[{ fault: { status: 429, headers: { 'retry-after': '3' } }, times: 1 }, { text: 'First done.' }]],
    },
    {
      name: 'second',
      match: { user: 'Second' },
      turns: [{ tool_call: { name: 'bash', arguments: { command: 'true' } } }, 'Second done.'],
    },
    { name: 'third', match: { user: 'Third' }, turns: ['Third done.'] },
  ]);
  const first = await lab.dispatch([{ goal: 'First thing to do' }]);
  const [run = ''] = first.run_ids;
  const held = await lab.until(run, 'waiting: rate_limit');
  const later = await lab.dispatch([{ goal: 'Third thing to do' }]);
  const waiting = await lab.until(later.run_ids[0] ?? '', 'waiting: rate_limit');
  expect(waiting.until).toBeGreaterThanOrEqual((held.until ?? 0) - 3000);
  await Promise.all([lab.lab.ended(first), lab.lab.ended(later)]);
  const [refused, ...after] = lab.model.requests;
  const until = (refused?.arrivedAt ?? 0) + 3000;
  expect(after.map(({ conversation }) => conversation).sort()).toEqual(['first', 'third']);
  for (const request of after) expect(request.arrivedAt).toBeGreaterThanOrEqual(until - 5);
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
