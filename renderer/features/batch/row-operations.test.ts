import { describe, expect, test } from 'vitest';
import { EMPTY_DRAFT, withTasks, type Draft, type TaskFields } from './draft.ts';
import {
  addTask,
  applyToAll,
  bestOf,
  canSplit,
  duplicateTask,
  mergeWithNext,
  moveTask,
  removeTask,
  splitTask,
} from './row-operations.ts';

const draftOf = (...tasks: TaskFields[]): Draft => withTasks(EMPTY_DRAFT, tasks);
const tasksOf = (draft: Draft): TaskFields[] => draft.rows.map(({ task }) => task);
const goals = (draft: Draft): unknown[] => tasksOf(draft).map((task) => task['goal']);
const abc = draftOf({ goal: 'A' }, { goal: 'B' }, { goal: 'C' });

describe('order', () => {
  test.each([
    ['t1', 2, ['B', 'C', 'A']],
    ['t3', 0, ['C', 'A', 'B']],
    ['t2', 9, ['A', 'C', 'B']],
    ['t2', -1, ['B', 'A', 'C']],
  ] as const)('%s to place %i → %j', (key, to, order) => {
    expect(goals(moveTask(abc, key, to))).toEqual(order);
  });

  test('moving a task to its own place changes nothing', () => {
    expect(moveTask(abc, 't2', 1)).toBe(abc);
    expect(moveTask(abc, 'gone', 1)).toBe(abc);
  });

  test('a task is added at the end, or below another', () => {
    expect(goals(addTask(abc))).toEqual(['A', 'B', 'C', '']);
    expect(goals(addTask(abc, 't1'))).toEqual(['A', '', 'B', 'C']);
  });
});

describe('duplicate and remove', () => {
  test('a copy has no id, as ids are unique (S5)', () => {
    const twice = duplicateTask(draftOf({ id: 'a', goal: 'A', agent: 'codex' }, { goal: 'B' }), 't1');
    expect(tasksOf(twice)).toEqual([
      { id: 'a', goal: 'A', agent: 'codex' },
      { goal: 'A', agent: 'codex' },
      { goal: 'B' },
    ]);
  });

  test('who waited for a removed task no longer does', () => {
    const draft = draftOf(
      { id: 'a', goal: 'A' },
      { goal: 'B', depends_on: ['a'] },
      { goal: 'C', depends_on: ['a', 'z'] },
    );
    expect(tasksOf(removeTask(draft, 't1'))).toEqual([{ goal: 'B' }, { goal: 'C', depends_on: ['z'] }]);
  });
});

describe('split', () => {
  test('lines of the goal become tasks with the same fields, without their bullets', () => {
    const draft = draftOf({ goal: 'One\n- [ ] Two\n\n3. Three', agent: 'codex', label: 'L' }, { goal: 'B' });
    expect(tasksOf(splitTask(draft, 't1'))).toEqual([
      { goal: 'One', agent: 'codex' },
      { goal: 'Two', agent: 'codex' },
      { goal: 'Three', agent: 'codex' },
      { goal: 'B' },
    ]);
  });

  test('with one line of goal the lines of the context do, and the goal is their context', () => {
    const split = splitTask(draftOf({ goal: 'Port each', context: '- a.ts\n- b.ts' }), 't1');
    expect(tasksOf(split)).toEqual([
      { goal: 'a.ts', context: 'Port each' },
      { goal: 'b.ts', context: 'Port each' },
    ]);
  });

  test('who waited for it waits for all of its parts', () => {
    const split = splitTask(draftOf({ id: 'a', goal: 'One\nTwo' }, { goal: 'B', depends_on: ['a'] }), 't1');
    expect(tasksOf(split).map((task) => task['id'])).toEqual(['a', 'a-2', undefined]);
    expect(tasksOf(split)[2]).toEqual({ goal: 'B', depends_on: ['a', 'a-2'] });
  });

  test('one line cannot be split', () => {
    expect(canSplit({ goal: 'One', context: 'two' })).toBe(false);
    expect(splitTask(abc, 't1')).toBe(abc);
  });
});

describe('merge with next', () => {
  test('goals and contexts are put together, fields of the first count, who waited for either waits for it', () => {
    const draft = draftOf(
      { id: 'a', goal: 'A', context: 'x', agent: 'codex', depends_on: ['z', 'b'] },
      { id: 'b', goal: 'B', context: 'y', agent: 'gemini', model: 'm' },
      { id: 'z', goal: 'C', depends_on: ['b', 'a'] },
    );
    const [first, second] = tasksOf(mergeWithNext(draft, 't1'));
    expect(first).toEqual({ id: 'a', goal: 'A\nB', context: 'x\n\ny', agent: 'codex', model: 'm', depends_on: ['z'] });
    expect(second).toEqual({ id: 'z', goal: 'C', depends_on: ['a'] });
  });

  test('the last task has no next', () => {
    expect(mergeWithNext(abc, 't3')).toBe(abc);
  });
});

describe('best of n', () => {
  test('tries stand together, are told apart by label, and who waited waits for all', () => {
    const draft = draftOf({ id: 'a', goal: 'Solve it\nwell' }, { goal: 'B', depends_on: ['a'] });
    expect(tasksOf(bestOf(draft, 't1', 2))).toEqual([
      { id: 'a', goal: 'Solve it\nwell', label: 'Solve it (1 of 2)' },
      { id: 'a-2', goal: 'Solve it\nwell', label: 'Solve it (2 of 2)' },
      { goal: 'B', depends_on: ['a', 'a-2'] },
    ]);
  });

  test('agents take turns, each with a model of its own', () => {
    const tries = tasksOf(bestOf(draftOf({ goal: 'A', agent: 'x', model: 'm' }), 't1', 3, ['x', 'y']));
    expect(tries.map((task) => task['agent'])).toEqual(['x', 'y', 'x']);
    expect(tries.every((task) => !('model' in task))).toBe(true);
  });

  test('the number of tries is kept within 2 and 8', () => {
    expect(bestOf(abc, 't1', 1).rows).toHaveLength(4);
    expect(bestOf(abc, 't1', 99).rows).toHaveLength(10);
  });
});

describe('apply to all', () => {
  const draft = draftOf({ goal: 'A', agent: 'codex', limits: { max_turns: 5 } }, { goal: 'B', agent: 'x', model: 'm' });

  test('an agent takes its model along: the others lose theirs when it has none', () => {
    expect(tasksOf(applyToAll(draft, 't1', 'agent'))[1]).toEqual({ goal: 'B', agent: 'codex' });
  });

  test('limits go to all; what the task does not say is taken from all', () => {
    expect(tasksOf(applyToAll(draft, 't1', 'limits'))[1]).toMatchObject({ limits: { max_turns: 5 } });
    expect(tasksOf(applyToAll(draft, 't2', 'limits'))[0]).toEqual({ goal: 'A', agent: 'codex' });
  });
});
