import { describe, expect, test } from 'vitest';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { NO_FILTER, type Filter } from '../../app/filter.ts';
import { applyFeed, EMPTY_LIVE, type LiveState } from '../../app/live-state.ts';
import { treeMove, typeahead, typedText } from '../../shared/tree-moves.ts';
import { aRun, aSet } from '../../testing/fixtures.ts';
import { cardHeight, layoutTree } from './layout-tree.ts';
import { treeItems } from './tree-items.ts';
import { treeModel, type TreeView } from './tree-model.ts';
import { createModelSelector } from './use-tree-model.ts';

type Part = Partial<RunRow>;
const FAILED: Part = { state: 'ended', outcome: 'failed' };
const DONE: Part = { state: 'ended', outcome: 'completed' };
const ASKS: Part = { state: 'waiting', reason: 'permission' };
const VIEW: TreeView = { folded: [], expanded: new Set(), filter: NO_FILTER, held: null };

/** A conversation from sets: number of the set, the run that made it, and a part of each run. */
function stateOf(...sets: { set: number; by?: string; runs: Part[] }[]): LiveState {
  return applyFeed(EMPTY_LIVE, [
    {
      type: 'changes',
      rev: 1,
      changes: [
        { type: 'run', row: aRun({ run_id: 'lead', delegation_id: null, task_index: null, lead: true }) },
        ...sets.flatMap(({ set, by = 'lead', runs }) => [
          {
            type: 'set' as const,
            row: aSet({ delegation_id: `d${set}`, set, parent_run_id: by, count: runs.length }),
          },
          ...runs.map((part, at) => ({
            type: 'run' as const,
            row: aRun({ run_id: `d${set}r${at + 1}`, delegation_id: `d${set}`, task_index: at, ...part }),
          })),
        ]),
      ],
    },
  ]);
}
const model = (state: LiveState, view: Partial<TreeView> = {}) =>
  treeModel(state, 'conv_1', 'lead', { ...VIEW, ...view });
const many = (count: number, part: Part): Part[] => Array.from({ length: count }, () => part);

describe('model', () => {
  test('C5: a retried run gives its place to the next, and what hung off it hangs off that', () => {
    const first = { ...FAILED, run_id: 'd1r1', retried_by: 'd1r1b' };
    const next = { ...DONE, run_id: 'd1r1b', task_index: 0, retry_of: 'd1r1' };
    const sets = model(stateOf({ set: 1, runs: [first, DONE, next] }, { set: 2, by: 'd1r1', runs: [{}] }));
    expect(sets[0]?.rows.map(({ id }) => id)).toEqual(['d1r1b', 'd1r2']);
    expect(sets[1]?.parent).toBe('d1r1b');
    expect(sets[0]?.retryable).toBe(0);
  });

  test('case 12, L3: two sets of the same shape at once are two cards, each with the runs of its own delegation, also when their tasks are alike', () => {
    const alike = (set: number): Part[] => many(3, { set, goal: 'The same goal', label: 'Alike' });
    const sets = model(stateOf({ set: 1, runs: alike(1) }, { set: 2, runs: alike(2) }));
    expect(sets.map(({ rows }) => rows.map(({ id }) => id))).toEqual([
      ['d1r1', 'd1r2', 'd1r3'],
      ['d2r1', 'd2r2', 'd2r3'],
    ]);
  });

  test('rows are 40, a failed row 56', () => {
    const [set] = model(stateOf({ set: 1, runs: [{}, FAILED, DONE] }));
    expect(set?.rows.map(({ height }) => height)).toEqual([40, 56, 40]);
  });

  test('a row under the pointer keeps its height when it fails', () => {
    const state = stateOf({ set: 1, runs: [FAILED] });
    expect(model(state, { held: { id: 'd1r1', height: 40 } })[0]?.rows[0]?.height).toBe(40);
  });

  test('sets that the lead or nobody made are tiers of the trunk, others hang off their row', () => {
    const sets = model(
      stateOf({ set: 1, runs: [{}] }, { set: 2, by: 'd1r1', runs: [{}] }, { set: 3, by: 'gone', runs: [{}] }),
    );
    expect(sets.map(({ parent }) => parent)).toEqual([null, 'd1r1', null]);
  });

  test('more than twelve runs: failed first, then active, by index; the done are tiles only', () => {
    const [set] = model(stateOf({ set: 1, runs: [...many(11, DONE), {}, FAILED, ASKS] }));
    expect(set?.large).toBe(true);
    expect(set?.rows.map(({ id, height }) => [id, height])).toEqual([
      ['d1r13', 44],
      ['d1r12', 28],
      ['d1r14', 28],
    ]);
  });

  test('a thousand failures are 24 rows and a count, until all are asked for', () => {
    const state = stateOf({ set: 1, runs: many(1000, FAILED) });
    expect(model(state)[0]).toMatchObject({ hidden: 976 });
    expect(model(state, { expanded: new Set(['d1']) })[0]).toMatchObject({ hidden: 0 });
  });

  test('a folded card still shows what failed and what waits for you', () => {
    const [set] = model(stateOf({ set: 1, runs: [DONE, FAILED, {}, ASKS] }), { folded: ['d1'] });
    expect(set?.rows.map(({ id }) => id)).toEqual(['d1r2', 'd1r4']);
    expect(set?.hidden).toBe(2);
  });

  test('a retry takes the place of the run that it retries', () => {
    const state = stateOf({ set: 1, runs: [{ ...FAILED, retried_by: 'again' }, DONE] });
    const retried = applyFeed(state, [
      {
        type: 'changes',
        rev: 2,
        changes: [
          { type: 'run', row: aRun({ run_id: 'again', delegation_id: 'd1', task_index: 0, retry_of: 'd1r1' }) },
        ],
      },
    ]);
    expect(model(retried)[0]?.rows.map(({ id }) => id)).toEqual(['again', 'd1r2']);
  });

  test('the selector keeps cards that did not change, and the whole list when none did', () => {
    const select = createModelSelector();
    const view = { folded: [], expanded: new Set<string>(), filter: NO_FILTER };
    const state = stateOf({ set: 1, runs: [{}] }, { set: 2, runs: [{}] });
    const before = select(state, 'conv_1', 'lead', view, 0);
    const change = (part: Part): LiveState =>
      applyFeed(state, [
        {
          type: 'changes',
          rev: 2,
          changes: [{ type: 'run', row: aRun({ run_id: 'd1r1', delegation_id: 'd1', ...part }) }],
        },
      ]);
    expect(select(change({ activity: 'Editing a.ts' }), 'conv_1', 'lead', view, 0)).toBe(before);
    const failed = select(change(FAILED), 'conv_1', 'lead', view, 0);
    expect(failed[0]).not.toBe(before[0]);
    expect(failed[1]).toBe(before[1]);
  });
});

describe('layout', () => {
  const picture = stateOf(
    { set: 1, runs: [DONE, DONE, DONE, {}, FAILED, DONE, ASKS, {}, DONE] },
    { set: 2, by: 'd1r4', runs: [DONE, {}, { state: 'queued' }] },
    { set: 3, runs: [...many(40, DONE), FAILED, FAILED, ...many(6, {}), ...many(16, { state: 'queued' })] },
  );

  test('the cards of the reference picture are where the picture has them', () => {
    const { cards } = layoutTree(model(picture));
    expect(cards.map(({ id, x, y, width, height }) => ({ id, x, y, width, height }))).toEqual([
      { id: 'd1', x: 44, y: 60, width: 420, height: 432 },
      { id: 'd2', x: 504, y: 228, width: 292, height: 176 },
      { id: 'd3', x: 44, y: 508, width: 752, height: 312 },
    ]);
  });

  test('two levels stand beside the open inspector of a window of 1280 px', () => {
    const { cards, width } = layoutTree(model(picture), 'compact');
    expect(cards.map((card) => [card.x, card.width])).toEqual([
      [44, 344],
      [416, 252],
      [44, 624],
    ]);
    expect(width).toBeLessThanOrEqual(1280 - 224 - 372 - 16);
  });

  test('a nested set hangs on a straight wire from the middle of its row', () => {
    const { wires } = layoutTree(model(picture));
    expect(wires.find(({ id }) => id === 'd2')).toMatchObject({ path: 'M464 256H504', live: true });
  });

  test('two sets of one row stand one below the other, and the second wire bends', () => {
    const state = stateOf(
      { set: 1, runs: [{}] },
      { set: 2, by: 'd1r1', runs: [{}] },
      { set: 3, by: 'd1r1', runs: [{}] },
    );
    const { cards, wires } = layoutTree(model(state));
    const [second, third] = [cards[1]!, cards[2]!];
    expect(third.y).toBe(second.y + second.height + 16);
    expect(wires.find(({ id }) => id === 'd3')?.path).toMatch(/^M464 136H474Q484 136 484 146V\d+Q484 \d+ 494 \d+H504$/);
  });

  test('no card covers another, however the tree is made', () => {
    const by = ['lead', 'd1r1', 'd1r2', 'd2r1', 'd2r2', 'd3r1', 'lead', 'd4r2', 'd7r3', 'd1r1', 'd5r1', 'lead'];
    const sizes = [9, 3, 14, 2, 5, 64, 3, 1, 12, 2, 13, 1];
    const state = stateOf(
      ...by.map((run, at) => ({ set: at + 1, by: run, runs: many(sizes[at]!, at % 2 === 0 ? FAILED : {}) })),
    );
    const { cards, width, height } = layoutTree(model(state));
    expect(cards).toHaveLength(12);
    for (const a of cards) {
      for (const b of cards) {
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(a === b || apart, `${a.id} and ${b.id}`).toBe(true);
      }
      expect(a.x + a.width).toBeLessThanOrEqual(width);
      expect(a.y + a.height).toBeLessThanOrEqual(height);
    }
  });

  test('a card without rows is its header', () => {
    expect(cardHeight(model(stateOf({ set: 1, runs: [DONE] }), { folded: ['d1'] })[0]!)).toBe(56 + 28);
  });
});

describe('items and keys', () => {
  const sets = model(stateOf({ set: 1, runs: [{}, {}] }, { set: 2, by: 'd1r1', runs: [{}] }, { set: 3, runs: [{}] }));
  const items = treeItems(sets, 'lead');

  test('items are in depth-first order with their levels and places', () => {
    expect(items.map(({ id, level, place, siblings }) => `${id} ${level} ${place}/${siblings}`)).toEqual([
      'lead 1 1/1',
      'd1 2 1/2',
      'd1r1 3 1/2',
      'd2 4 1/1',
      'd2r1 5 1/1',
      'd1r2 3 2/2',
      'd3 2 2/2',
      'd3r1 3 1/1',
    ]);
  });

  test('case 54: a set that grows while it runs keeps every row at its place, and says its new number of tasks', () => {
    const before = stateOf({ set: 1, runs: [DONE, {}] });
    const grown = stateOf({ set: 1, runs: [DONE, {}, {}, {}] });
    const ids = (state: LiveState) => model(state)[0]?.rows.map(({ id }) => id);
    expect(ids(before)).toEqual(['d1r1', 'd1r2']);
    expect(ids(grown)).toEqual(['d1r1', 'd1r2', 'd1r3', 'd1r4']);
    expect(grown.sets.get('d1')).toMatchObject({ count: 4 });
    expect(treeItems(model(grown), null).map(({ id, siblings }) => `${id} ${siblings}`)).toContain('d1r2 4');
  });

  test('a filter leaves what matches with the rows that it hangs off, in sets that were folded too', () => {
    const state = stateOf(
      { set: 1, runs: [{ label: 'Pick' }, { label: 'Sort' }] },
      { set: 2, by: 'd1r2', runs: [{ label: 'Weigh', agent: 'explorer' }, DONE] },
      { set: 3, runs: [FAILED] },
    );
    const shown = (filter: Partial<Filter>) =>
      model(state, { filter: { ...NO_FILTER, ...filter }, folded: ['d2'] }).map(({ rows }) => rows.map(({ id }) => id));
    expect(shown({ text: 'weigh' })).toEqual([['d1r2'], ['d2r1']]);
    expect(shown({ agent: 'explorer', status: 'completed' })).toEqual([]);
    expect(shown({ status: 'broken' })).toEqual([['d3r1']]);
    expect(shown({ set: 'd2' })).toEqual([['d1r2'], ['d2r1', 'd2r2']]);
    expect(shown({ set: 'd1' })).toEqual([
      ['d1r1', 'd1r2'],
      ['d2r1', 'd2r2'],
    ]);
  });

  test('in a large set the rows come first, then the runs that only a tile shows', () => {
    const large = model(stateOf({ set: 1, runs: [...many(12, DONE), FAILED] }));
    expect(
      treeItems(large, null)
        .map(({ id }) => id)
        .slice(0, 3),
    ).toEqual(['d1', 'd1r13', 'd1r1']);
    expect(treeItems(large, null)).toHaveLength(14);
  });

  test('without a lead the sets are the first level', () => {
    expect(treeItems(sets, null)[0]).toMatchObject({ id: 'd1', level: 1 });
  });

  test.each([
    ['ArrowDown', 'd1r1', { type: 'focus', id: 'd2' }],
    ['ArrowUp', 'd1r1', { type: 'focus', id: 'd1' }],
    ['ArrowUp', 'lead', null],
    ['ArrowRight', 'd1r1', { type: 'focus', id: 'd2' }],
    ['ArrowRight', 'd1r2', null],
    ['ArrowLeft', 'd2r1', { type: 'focus', id: 'd2' }],
    ['ArrowLeft', 'd1', { type: 'fold', id: 'd1' }],
    ['Home', 'd3r1', { type: 'focus', id: 'lead' }],
    ['End', 'lead', { type: 'focus', id: 'd3r1' }],
    ['Enter', 'd1r2', { type: 'open', id: 'd1r2' }],
    [' ', 'd1r2', { type: 'peek', id: 'd1r2' }],
    ['Delete', 'd1', { type: 'stop', id: 'd1' }],
    ['x', 'd1', null],
  ])('%s on %s → %j', (key, current, move) => {
    expect(treeMove(items, current, key)).toEqual(move);
  });

  test('typed characters find the next item by its name; one repeated steps through them', () => {
    const names: Record<string, string> = { d1r1: 'Alpha', d2r1: 'Also', d3r1: 'Beta' };
    const find = (current: string, typed: string) => typeahead(items, ({ id }) => names[id] ?? '', current, typed);
    expect(find('lead', 'a')).toBe('d1r1');
    expect(find('d1r1', 'a')).toBe('d2r1');
    expect(find('d2r1', 'aa')).toBe('d1r1');
    expect(find('d1r1', 'als')).toBe('d2r1');
    expect(find('d1r1', 'zz')).toBeNull();
  });

  test('a digit and the key of the shortcuts begin no name, and a space belongs to one that is being typed', () => {
    const typed = (key: string, text = '', at = 0) => typedText({ text, at }, { key, timeStamp: 1000 });
    expect(['a', 'É', '价', '1', '?', ' ', 'Enter'].map((key) => typed(key))).toEqual([
      'a',
      'É',
      '价',
      null,
      null,
      null,
      null,
    ]);
    expect([' ', '?', 'b'].map((key) => typed(key, 'a', 900))).toEqual(['a ', null, 'ab']);
    expect(typed('b', 'a', 100)).toBe('b');
  });
});
