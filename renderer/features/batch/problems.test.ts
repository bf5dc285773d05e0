import { describe, expect, test } from 'vitest';
import type { BatchProblem } from '../../../core/protocol/errors.ts';
import { blockerOf } from './blocker.ts';
import { checkLines } from './checks.ts';
import { EMPTY_DRAFT, withTasks, type TaskFields } from './draft.ts';
import {
  isWrong,
  mended,
  mendOf,
  mendOfHead,
  NO_PROBLEMS,
  problemsByRow,
  withoutRow,
  wrongPlaces,
} from './problems.ts';
import { partOfField } from './row-focus.ts';
import type { World } from './world.ts';

const problem = (part: Partial<BatchProblem>): BatchProblem => ({
  task_index: 0,
  field: null,
  message: 'Task 1: it is wrong.',
  fix: 'Mend it.',
  suggestion: null,
  pointer: null,
  ...part,
});
const mendedBy = (task: TaskFields, part: Partial<BatchProblem>): TaskFields | undefined =>
  mendOf(task, problem(part))?.apply(task);

describe('problems by row', () => {
  test('a row that nobody has written in is not told of, all others are', () => {
    const found = problemsByRow([problem({}), problem({ task_index: 1 })], ['t1', 't2']);
    expect([...withoutRow(found, 't1').ofRow.keys()]).toEqual(['t2']);
    expect(withoutRow(found, null)).toBe(found);
  });

  test('go to the row that stood there when the core looked, also if it has moved since', () => {
    const { ofRow, whole } = problemsByRow(
      [problem({ task_index: 1 }), problem({ task_index: null }), problem({ task_index: 9 })],
      ['t1', 't2'],
    );
    expect([...ofRow.keys()]).toEqual(['t2']);
    expect(whole).toHaveLength(2);
    const moved = withTasks(EMPTY_DRAFT, [{}, {}]);
    expect(wrongPlaces({ ...moved, rows: moved.rows.toReversed() }, { ofRow, whole })).toEqual([0]);
  });

  test('a field is wrong by its own name or by one inside it', () => {
    expect(isWrong([problem({ field: 'limits.max_turns' })], 'limits')).toBe(true);
    expect(isWrong([problem({ field: 'limitss' })], 'limits')).toBe(false);
  });

  test.each([
    ['agent', 'agent'],
    ['limits.max_turns', 'limits'],
    ['depends_on', 'after'],
    ['output_schema', 'goal'],
    [null, 'goal'],
  ] as const)('the field %s is shown in %s', (field, part) => {
    expect(partOfField(field)).toBe(part);
  });
});

describe('what a suggestion mends', () => {
  test('case 7: a word in place of an unknown one', () => {
    expect(mendedBy({ agent: 'codxe' }, { field: 'agent', suggestion: 'codex' })).toEqual({ agent: 'codex' });
  });

  test('the entry of a list that the message quotes', () => {
    const part = {
      field: 'depends_on',
      suggestion: 'setup',
      message: 'Task 1: depends_on names "setpu", which no task has as its id.',
    };
    expect(mendedBy({ depends_on: ['a', 'setpu'] }, part)).toEqual({ depends_on: ['a', 'setup'] });
  });

  test('the marker in a text', () => {
    const part = {
      field: 'goal',
      suggestion: 'audit',
      message: 'Task 1: the goal names {outputs.audti}, and no task has the id "audti".',
    };
    expect(mendedBy({ goal: 'Use {outputs.audti} twice: {outputs.audti}' }, part)).toEqual({
      goal: 'Use {outputs.audit} twice: {outputs.audit}',
    });
  });

  test('a key that is called something else, in its place', () => {
    expect(Object.keys(mendedBy({ gaol: 'x', agent: 'a' }, { field: 'gaol', suggestion: 'goal' }) ?? {})).toEqual([
      'goal',
      'agent',
    ]);
    expect(
      mendedBy({ limits: { max_turn: 4, max_tokens: 9 } }, { field: 'limits.max_turn', suggestion: 'max_turns' }),
    ).toEqual({
      limits: { max_turns: 4, max_tokens: 9 },
    });
  });

  test('a key that belongs elsewhere moves there', () => {
    expect(
      mendedBy(
        { goal: 'x', timeout: 60, limits: { max_turns: 1 } },
        { field: 'timeout', suggestion: 'limits.timeout_seconds' },
      ),
    ).toEqual({
      goal: 'x',
      limits: { max_turns: 1, timeout_seconds: 60 },
    });
  });

  test('the defaults of the batch', () => {
    const head = { defaults: { agnet: 'codex', limits: { max_turn: 1 } } };
    const key = mendOfHead(head, problem({ task_index: null, field: 'defaults.agnet', suggestion: 'agent' }));
    expect(key?.apply(head)).toEqual({ defaults: { agent: 'codex', limits: { max_turn: 1 } } });
    const inner = mendOfHead(
      head,
      problem({ task_index: null, field: 'defaults.limits.max_turn', suggestion: 'max_turns' }),
    );
    expect(inner?.apply(head)).toEqual({ defaults: { agnet: 'codex', limits: { max_turns: 1 } } });
    expect(mendOfHead({}, problem({ field: 'max_concurent', suggestion: 'max_concurrent' }))).toBeNull();
  });

  test('nothing without a suggestion, a field, or a value', () => {
    expect(mendOf({ agent: 'x' }, problem({ field: 'agent' }))).toBeNull();
    expect(mendOf({}, problem({ field: 'agent', suggestion: 'codex' }))).toBeNull();
    expect(mendOf({ agent: 7 }, problem({ field: 'agent', suggestion: 'codex' }))).toBeNull();
  });

  test('only the row that has it', () => {
    const draft = withTasks(EMPTY_DRAFT, [{ agent: 'codxe' }, { agent: 'codxe' }]);
    const mend = mendOf({ agent: 'codxe' }, problem({ field: 'agent', suggestion: 'codex' }));
    expect(mended(draft, 't2', mend!).rows.map(({ task }) => task['agent'])).toEqual(['codxe', 'codex']);
  });
});

describe('what stands in the way of a run', () => {
  const draft = withTasks(EMPTY_DRAFT, [{ goal: 'A' }, { goal: ' ' }, { goal: 'C' }]);
  const wrong = (key: string) => ({ ofRow: new Map([[key, [problem({})]]]), whole: [] });

  test('the first row that is blank or wrong, before all else (S1)', () => {
    expect(blockerOf(draft, NO_PROBLEMS, null)).toEqual({ type: 'goal', place: 1 });
    expect(blockerOf(draft, wrong('t1'), 'p')).toEqual({ type: 'row', place: 0 });
    expect(blockerOf(draft, wrong('t3'), 'p')).toEqual({ type: 'goal', place: 1 });
  });

  test('then the batch as a whole, then the project', () => {
    const good = withTasks(EMPTY_DRAFT, [{ goal: 'A' }]);
    expect(blockerOf(EMPTY_DRAFT, NO_PROBLEMS, 'p')).toEqual({ type: 'tasks', place: null });
    expect(blockerOf(good, { ofRow: new Map(), whole: [problem({})] }, 'p')).toEqual({ type: 'whole', place: null });
    expect(blockerOf(good, NO_PROBLEMS, null)).toEqual({ type: 'project', place: null });
    expect(blockerOf(good, NO_PROBLEMS, 'p')).toBeNull();
  });
});

describe('Checked', () => {
  const world: World = {
    agents: [{ id: 'general', runner: 'builtin', description: '', source: 'builtin' }],
    models: [{ ref: 'a/m', priced: true, has_key: false }],
    defaultAgent: 'general',
    defaultModel: 'a/m',
    permission: 'ask',
    perSet: 10,
    atWork: 0,
    places: 10,
    leftUsd: null,
  };
  const ids = (tasks: readonly TaskFields[], git = false, checked = true): string[] =>
    checkLines(withTasks(EMPTY_DRAFT, tasks), NO_PROBLEMS, world, { git, checked }).map(
      ({ id, tone }) => `${id} ${tone}`,
    );

  test('says what was found, a missing key, and tasks that share one folder', () => {
    expect(ids([{ goal: 'A' }, { goal: 'B' }], true)).toEqual(['agents ok', 'keys warn', 'right ok', 'sharing warn']);
  });

  test('says nothing good of what the core has not looked at', () => {
    expect(ids([{ goal: 'A' }], true, false)).toEqual(['agents ok', 'keys warn']);
  });

  test('names a circle and an unknown agent', () => {
    const tasks = [
      { id: 'a', agent: 'nobody', depends_on: ['b'] },
      { id: 'b', depends_on: ['a'] },
    ];
    expect(ids(tasks)).toEqual(['circle bad', 'agents ok', 'unknown bad', 'keys warn']);
    expect(ids([])).toEqual([]);
  });
});
