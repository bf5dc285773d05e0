import { describe, expect, test } from 'vitest';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { applyFeed, EMPTY_LIVE, type LiveState } from '../../app/live-state.ts';
import { aRun, aSet, emptySnapshot } from '../../testing/fixtures.ts';
import { NO_FILTER, type Filter } from '../../app/filter.ts';
import { outline, type Look } from './outline.ts';
import { nextSort } from './sorting.ts';
import { createOutlineSelector } from './use-outline.ts';

const run = (id: string, task: number, part: Partial<RunRow> = {}): RunRow =>
  aRun({ run_id: id, delegation_id: 'deleg_1', task_index: task, label: `Task ${id}`, ...part });

/** Set 1 with four runs; the second made set 2 with two, of which one failed. */
const RUNS = [
  run('a', 0, { agent: 'codex', total_cost_usd: 0.3, state: 'ended', outcome: 'completed' }),
  run('b', 1, { total_cost_usd: 0.9, state: 'waiting', reason: 'children' }),
  run('c', 2, { total_cost_usd: null, state: 'waiting', reason: 'permission' }),
  run('d', 3, { total_cost_usd: 0.1, state: 'queued', started_at: null }),
  run('b1', 0, { delegation_id: 'deleg_2', set: 2, parent_run_id: 'b', state: 'ended', outcome: 'failed' }),
  run('b2', 1, { delegation_id: 'deleg_2', set: 2, parent_run_id: 'b' }),
];

function state(runs: readonly RunRow[] = RUNS): LiveState {
  const snapshot = emptySnapshot({
    scope: { type: 'conversation', conversation_id: 'conv_1' },
    sets: [
      aSet({ delegation_id: 'deleg_1', set: 1, count: 4 }),
      aSet({ delegation_id: 'deleg_2', set: 2, count: 2, parent_run_id: 'b' }),
    ],
    runs: [...runs],
  });
  return applyFeed(EMPTY_LIVE, [{ type: 'snapshot', rev: 1, snapshot }]);
}

const look = (part: Partial<Look> = {}): Look => ({
  folded: [],
  filter: NO_FILTER,
  sort: null,
  flat: false,
  held: null,
  now: 0,
  ...part,
});
const idsOf = (part: Partial<Look> = {}): string[] =>
  outline(state(), 'conv_1', null, look(part)).rows.map(({ id }) => id);
const filtered = (filter: Partial<Filter>): string[] => idsOf({ filter: { ...NO_FILTER, ...filter } });

describe('the outline', () => {
  test('has a set, its runs and below each the sets that it made, with their levels and places', () => {
    const { rows, shown, all } = outline(state(), 'conv_1', null, look());
    expect(rows.map(({ id, level, place, siblings }) => [id, level, place, siblings])).toEqual([
      ['deleg_1', 1, 1, 1],
      ['a', 2, 1, 4],
      ['b', 2, 2, 4],
      ['deleg_2', 3, 1, 1],
      ['b1', 4, 1, 2],
      ['b2', 4, 2, 2],
      ['c', 2, 3, 4],
      ['d', 2, 4, 4],
    ]);
    expect([shown, all]).toEqual([6, 6]);
    expect(rows.map(({ expanded }) => expanded)).toEqual([true, null, true, true, null, null, null, null]);
  });

  test('of a folded set keeps what failed or waits for a person, and says how many it hides', () => {
    const { rows } = outline(state(), 'conv_1', null, look({ folded: ['deleg_1'] }));
    expect(rows.map(({ id }) => id)).toEqual(['deleg_1', 'b', 'deleg_2', 'b1', 'c']);
    expect(rows[0]).toMatchObject({ expanded: false, hidden: 2 });
  });

  test('folds what a run made on that run', () => {
    const { rows } = outline(state(), 'conv_1', null, look({ folded: ['b'] }));
    expect(rows.map(({ id }) => id)).toEqual(['deleg_1', 'a', 'b', 'deleg_2', 'b1', 'c', 'd']);
    expect(rows[2]).toMatchObject({ expanded: false, hidden: 2 });
  });

  test('sorted by cost orders siblings, an unknown cost last in both directions', () => {
    expect(idsOf({ sort: { by: 'cost', down: true } })).toEqual(['deleg_1', 'b', 'deleg_2', 'b1', 'b2', 'a', 'd', 'c']);
    expect(idsOf({ sort: { by: 'cost', down: false } })).toEqual([
      'deleg_1',
      'd',
      'a',
      'b',
      'deleg_2',
      'b1',
      'b2',
      'c',
    ]);
  });

  test('sorted by status has what wants a person first', () => {
    const order = idsOf({ sort: { by: 'status', down: false }, flat: true });
    expect(order).toEqual(['c', 'b1', 'b2', 'b', 'd', 'a']);
  });

  test('without levels has the runs alone', () => {
    const { rows } = outline(state(), 'conv_1', null, look({ flat: true }));
    expect(rows.map(({ id, level }) => `${id}${level}`)).toEqual(['a1', 'b1', 'c1', 'd1', 'b11', 'b21']);
  });

  test.each([
    [{ text: 'task b2' }, ['deleg_1', 'b', 'deleg_2', 'b2']],
    [{ status: 'needs' }, ['deleg_1', 'c']],
    [{ status: 'broken' }, ['deleg_1', 'b', 'deleg_2', 'b1']],
    [{ agent: 'codex' }, ['deleg_1', 'a']],
    [{ set: 'deleg_2' }, ['deleg_1', 'b', 'deleg_2', 'b1', 'b2']],
    [{ text: 'nowhere' }, []],
  ] as const)('filtered by %o keeps what matches and the way to it', (filter, ids) => {
    expect(filtered(filter)).toEqual(ids);
  });

  test('shows what matches even in a folded set', () => {
    expect(idsOf({ folded: ['deleg_1'], filter: { ...NO_FILTER, agent: 'codex' } })).toEqual(['deleg_1', 'a']);
  });

  test('C5: has the retry in the place of the run that it replaced', () => {
    const runs = [
      run('a', 0, { state: 'ended', outcome: 'failed', retried_by: 'a2' }),
      run('a2', 0, { retry_of: 'a' }),
      ...RUNS.slice(1),
    ];
    expect(outline(state(runs), 'conv_1', null, look()).rows[1]?.id).toBe('a2');
  });
});

describe('the rows while a view is open', () => {
  const choice = { folded: [], filter: NO_FILTER, sort: { by: 'cost', down: true }, flat: true, held: false } as const;
  const costly = (cost: number): LiveState => state([run('a', 0, { total_cost_usd: cost }), ...RUNS.slice(1)]);

  test('keep their identity when another run changes, and all of them when nothing did', () => {
    const select = createOutlineSelector();
    const before = select(state(), 'conv_1', null, choice);
    expect(select(costly(0.31), 'conv_1', null, choice)).toBe(before);
    const after = select(costly(5), 'conv_1', null, choice);
    expect(after.rows[0]?.id).toBe('a');
    expect(after.rows.at(-1)).toBe(before.rows.at(-1));
  });

  test('keep their order while the pointer is on them, until the user asks for another', () => {
    const select = createOutlineSelector();
    const before = select(state(), 'conv_1', null, { ...choice, held: true });
    const ids = before.rows.map(({ id }) => id);
    expect(select(costly(5), 'conv_1', null, { ...choice, held: true }).rows.map(({ id }) => id)).toEqual(ids);
    const folded = select(costly(5), 'conv_1', null, { ...choice, held: true, sort: { by: 'name', down: true } });
    expect(folded.rows[0]?.id).toBe('d');
    expect(select(costly(5), 'conv_1', null, choice).rows[0]?.id).toBe('a');
  });
});

test('a head is pressed for its order, the other way round, and the order of the tree again', () => {
  const first = nextSort(null, 'cost');
  expect(first).toEqual({ by: 'cost', down: true });
  expect(nextSort(first, 'cost')).toEqual({ by: 'cost', down: false });
  expect(nextSort(nextSort(first, 'cost'), 'cost')).toBeNull();
  expect(nextSort(first, 'name')).toEqual({ by: 'name', down: false });
});
