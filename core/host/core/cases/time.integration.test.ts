import { expect, test } from 'vitest';
import type { StepInput } from '../../../scripted-model/script-input.ts';
import { value } from '../../../testing/core-lab.ts';
import { ModelLab } from '../../../testing/model-lab.ts';

const CALLER = { client: 'test' };

const delegate = (tasks: object[]): StepInput => ({
  tool_call: { name: 'delegate_task', arguments: { wait: true, tasks } },
});

test('R7: a parent’s deadline bounds its children, and says whose it was; then the parent is timed out too', async () => {
  await using lab = await ModelLab.open([
    {
      match: { user: 'Child' },
      turns: [{ tool_call: { name: 'bash', arguments: { command: 'sleep 60' } } }, 'Never said.'],
    },
    { turns: [delegate([{ goal: 'Child that takes long' }]), 'Never said either.'] },
  ]);
  const set = await lab.dispatch([{ goal: 'Parent of a slow one', label: 'Parent', limits: { timeout_seconds: 4 } }]);
  const result = await lab.lab.result(set);
  const runs = value(await lab.service.conversations.show({ id: set.conversation_id }, CALLER)).runs;
  const child = runs.find(({ depth }) => depth === 2);
  expect(child).toMatchObject({ outcome: 'timed_out', deadline: { of: set.run_ids[0] } });
  expect(child?.error).toBe('The time limit of 4 s of [set 1] Parent passed, and bounds what runs below it.');
  expect(result).toMatchObject({ status: 'timed_out', error: 'Its time limit of 4 s passed.' });
});

test('R7: a run in which nothing happens asks for attention, and no more when something does', async () => {
  await using lab = await ModelLab.open(
    [{ turns: [{ tool_call: { name: 'bash', arguments: { command: 'sleep 4; echo done' } } }, 'All done.'] }],
    {
      limits: { toolIdleSeconds: 1 },
    },
  );
  const set = await lab.dispatch([{ goal: 'Wait for something' }]);
  const [run = ''] = set.run_ids;
  const idle = await lab.lab.rowWhen(run, 'the run to ask for attention', (row) => row.idle_since != null);
  expect(idle.state).toBe('running');
  const list = value(await lab.service.conversations.list({ all: true }, CALLER));
  expect(list[0]).toMatchObject({ needs_you: 1 });
  expect(await lab.lab.result(set)).toMatchObject({ status: 'completed', summary: 'All done.' });
  expect(await lab.lab.row(run)).toMatchObject({ idle_since: null });
  expect(value(await lab.service.conversations.list({ all: true }, CALLER))[0]).toMatchObject({ needs_you: 0 });
  expect(
    lab.model.requests
      .at(-1)
      ?.request.texts.map(({ text }) => text)
      .join(),
  ).toContain('There was no activity for');
});
