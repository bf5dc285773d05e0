import { describe, expect, test } from 'vitest';
import { afterOf, placesInWords, readPlaces, withAfter } from './after.ts';
import { EMPTY_DRAFT, withTasks, type Draft, type TaskFields } from './draft.ts';

const draftOf = (...tasks: TaskFields[]): Draft => withTasks(EMPTY_DRAFT, tasks);

describe('what a task waits for', () => {
  test('ids become places; unknown ones are told apart', () => {
    const draft = draftOf(
      { id: 'a' },
      { id: 'b', depends_on: ['nope', 'a'] },
      { depends_on: ['b', 'a'], depends_on_any_outcome: true },
    );
    expect(afterOf(draft)).toEqual([
      { places: [], unknown: [], anyOutcome: false },
      { places: [0], unknown: ['nope'], anyOutcome: false },
      { places: [0, 1], unknown: [], anyOutcome: true },
    ]);
  });

  test('defaults count where the task says nothing', () => {
    const draft = { ...draftOf({ id: 'a', depends_on: [] }, { goal: 'B' }), head: { defaults: { depends_on: ['a'] } } };
    expect(afterOf(draft).map(({ places }) => places)).toEqual([[], [0]]);
  });
});

test.each([
  [[], ''],
  [[0], '1'],
  [[0, 4], '1, 5'],
  [[0, 1], '1, 2'],
  [[0, 1, 2, 3, 4, 5, 6], '1–7'],
  [[0, 1, 2, 8], '1–3, 9'],
])('places %j → "%s"', (places, words) => {
  expect(placesInWords(places)).toBe(words);
});

test.each([
  ['1, 3-5', [0, 2, 3, 4]],
  ['3–4 1 1', [0, 2, 3]],
  ['', []],
  ['0', null],
  ['9', null],
  ['2', null],
  ['5-3', null],
  ['one', null],
  ['1-3', null],
])('"%s" in task 2 of 8 → %j', (text, places) => {
  expect(readPlaces(text, 8, 1)).toEqual(places);
});

describe('making a task wait', () => {
  test('tasks without an id get one that is free, and the waiting task names them', () => {
    const draft = withAfter(draftOf({ goal: 'A' }, { id: 'task-1', goal: 'B' }, { goal: 'C' }), 't3', [1, 0], true);
    expect(draft.rows.map(({ task }) => task)).toEqual([
      { id: 'task-1-2', goal: 'A' },
      { id: 'task-1', goal: 'B' },
      { goal: 'C', depends_on: ['task-1-2', 'task-1'], depends_on_any_outcome: true },
    ]);
  });

  test('no places → the field goes, and with it what it says of outcomes', () => {
    const draft = draftOf({ id: 'a' }, { goal: 'B', depends_on: ['a'], depends_on_any_outcome: true });
    expect(withAfter(draft, 't2', [], true).rows[1]?.task).toEqual({ goal: 'B' });
  });

  test('against a default of the batch an empty list is said', () => {
    const draft = { ...draftOf({ id: 'a' }, { goal: 'B' }), head: { defaults: { depends_on: ['a'] } } };
    expect(withAfter(draft, 't2', [], false).rows[1]?.task).toEqual({ goal: 'B', depends_on: [] });
  });
});
