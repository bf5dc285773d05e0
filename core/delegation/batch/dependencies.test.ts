import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BatchProblem } from '../../protocol/errors.ts';
import type { BatchWorld } from './batch-world.ts';
import { validateBatch } from './validate-batch.ts';

const world: BatchWorld = {
  agents: new Map([['general', { id: 'general', description: '', source: 'builtin', runner: 'builtin' }]]),
  isKnownModel: () => true,
  knownModels: [],
  knownTools: [],
  canPrice: () => true,
  defaults: { agent: 'general', model: 'acme/large', permission: 'ask', isolation: 'none' },
};

const GOOD = 'Fix the date parser';

const asTask = (entry: unknown): unknown => (typeof entry === 'string' ? { goal: entry } : entry);

async function problems(tasks: readonly unknown[], more: Partial<BatchWorld> = {}): Promise<BatchProblem[]> {
  const result = await validateBatch({ tasks: tasks.map(asTask) }, { ...world, ...more });
  return result.ok ? [] : result.error;
}

async function valid(tasks: readonly unknown[]) {
  const result = await validateBatch({ tasks: tasks.map(asTask) }, world);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const fieldsOf = async (tasks: readonly unknown[], more: Partial<BatchWorld> = {}) =>
  (await problems(tasks, more)).map(({ task_index, field }) => [task_index, field]);

describe('dependencies (R10)', () => {
  const chain = [
    { id: 'a', goal: 'Find the failing tests' },
    { id: 'b', goal: 'Mend them: {outputs.a}', depends_on: ['a', 'a'] },
    { id: 'c', goal: 'Write down what was done', context: 'First {outputs.a}', depends_on: ['b'] },
  ];

  test('case 9: a→b→c with {outputs.a} is accepted, also through another task', async () => {
    expect((await valid(chain)).tasks.map(({ depends_on }) => depends_on)).toEqual([[], ['a'], ['b']]);
  });

  test('case 9: an unknown id is refused with "did you mean"', async () => {
    const tasks = [
      { id: 'setup', goal: GOOD },
      { goal: GOOD, depends_on: ['setpu'] },
    ];
    expect(await problems(tasks)).toMatchObject([{ task_index: 1, field: 'depends_on', suggestion: 'setup' }]);
  });

  test('case 9: a cycle is refused and shown', async () => {
    const tasks = ['a', 'b', 'c'].map((id, i) => ({ id, goal: GOOD, depends_on: ['bca'[i]] }));
    expect(await problems(tasks)).toMatchObject([
      { task_index: 0, field: 'depends_on', message: expect.stringContaining('a → b → c → a') },
    ]);
    expect(await problems([{ id: 'a', goal: GOOD, depends_on: ['a'] }])).toMatchObject([
      { message: expect.stringContaining('a → a') },
    ]);
  });

  test('case 9: {outputs.x} of an unknown id, of a task not waited for, and of itself are refused', async () => {
    const goal = (id: string) => `Use {outputs.${id}} for it`;
    expect(await problems([{ id: 'a', goal: goal('x') }])).toMatchObject([
      { field: 'goal', message: expect.stringContaining('no task has the id "x"') },
    ]);
    expect(await problems([{ id: 'a', goal: goal('a') }])).toMatchObject([
      { message: expect.stringContaining('its own output') },
    ]);
    expect(await problems([{ id: 'a', goal: GOOD }, { goal: goal('a') }])).toMatchObject([
      { task_index: 1, fix: 'Add "a" to depends_on.' },
    ]);
  });

  test('S3: {outputs.x} in backticks is literal text when no task has the id', async () => {
    expect(await problems([{ id: 'a', goal: 'Explain what `{outputs.some_id}` does' }])).toEqual([]);
  });

  test('S5: an id that is there twice, or has other characters, is refused', async () => {
    const found = await problems([
      { id: 'a', goal: GOOD },
      { id: 'a', goal: GOOD },
      { id: 'b c', goal: GOOD },
    ]);
    expect(found).toMatchObject([
      { task_index: 1, field: 'id', message: expect.stringContaining('task 1') },
      { task_index: 2, field: 'id' },
    ]);
  });

  test('S8: tasks that are added may wait for those of the set, and count with them', async () => {
    const existing = { ids: ['a'], count: 999 };
    expect(await problems([{ goal: 'Use {outputs.a} for it', depends_on: ['a'] }], { existing })).toEqual([]);
    expect(await fieldsOf([{ id: 'a', goal: GOOD }], { existing })).toEqual([[0, 'id']]);
    expect(await fieldsOf(['Fix tests'], { existing })).toEqual([[0, 'goal']]);
    expect(await fieldsOf([GOOD, GOOD], { existing })).toEqual([[null, 'tasks']]);
  });

  test('R10: a thousand tasks that all wait for each other in order are checked quickly', async () => {
    const ids = Array.from({ length: 1000 }, (_, i) => `t${i}`);
    const tasks = ids.map((id, i) => ({
      id,
      goal: i ? `Go on after {outputs.t0} ${i}` : GOOD,
      depends_on: ids.slice(0, i),
    }));
    expect(await problems(tasks)).toEqual([]);
  });
});

test('S1: no batch of any values makes validation throw, and it refuses or fills in every task', async () => {
  const key = fc.constantFrom('goal', 'id', 'context', 'depends_on', 'limits', 'output_schema', 'tools', 'model', 'x');
  const task = fc.dictionary(key, fc.oneof(fc.anything(), fc.constantFrom('a', ['a'], '{outputs.a} is used')));
  const batch = fc.record({ tasks: fc.array(fc.oneof(task, fc.anything())), defaults: fc.option(task) });
  await fc.assert(
    fc.asyncProperty(batch, async (raw) => {
      const result = await validateBatch(raw, world);
      if (result.ok) expect(result.value.tasks).toHaveLength(raw.tasks.length);
      else expect(result.error.every(({ message, fix }) => message !== '' && fix !== '')).toBe(true);
    }),
    { numRuns: 500 },
  );
});
