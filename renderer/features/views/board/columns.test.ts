import { describe, expect, test } from 'vitest';
import { applyFeed, EMPTY_LIVE } from '../../../app/live-state.ts';
import { aRun, aSet, emptySnapshot } from '../../../testing/fixtures.ts';
import { NO_FILTER } from '../../../app/filter.ts';
import { board, boardMove, columnOf, heldColumns } from './columns.ts';

describe('the column of a run', () => {
  test.each([
    ['queued', 'dependency', 'queued'],
    ['starting', null, 'working'],
    ['running', null, 'working'],
    ['waiting', 'rate_limit', 'working'],
    ['waiting', 'children', 'working'],
    ['waiting', 'concurrency', 'queued'],
    ['waiting', 'paused', 'queued'],
    ['waiting', 'permission', 'needs'],
    ['waiting', 'question', 'needs'],
    ['ended', null, 'ended'],
  ] as const)('%s, %s → %s', (state, reason, column) => {
    expect(columnOf({ state, reason })).toBe(column);
  });

  test('R7: a run in which nothing happens needs somebody', () => {
    expect(columnOf({ state: 'running', reason: null, idle_since: 5 })).toBe('needs');
  });
});

const run = (id: string, task: number, part: object) =>
  aRun({ run_id: id, delegation_id: 'deleg_1', task_index: task, ...part });
const snapshot = emptySnapshot({
  scope: { type: 'conversation', conversation_id: 'conv_1' },
  sets: [aSet({ delegation_id: 'deleg_1', count: 5 })],
  runs: [
    run('old', 0, { state: 'ended', outcome: 'completed', ended_at: 5 }),
    run('new', 1, { state: 'ended', outcome: 'failed', ended_at: 9 }),
    run('works', 2, {}),
    run('later', 4, { state: 'queued' }),
    run('next', 3, { state: 'queued' }),
    aRun({ run_id: 'lead', delegation_id: null, lead: true, state: 'waiting', reason: 'user' }),
  ],
});
const state = applyFeed(EMPTY_LIVE, [{ type: 'snapshot', rev: 1, snapshot }]);

test('the board has the newest end first, the queue in its order, and no lead that waits to be spoken to', () => {
  const { columns, shown, all } = board(state, 'conv_1', 'lead', NO_FILTER);
  expect(columns).toEqual({ queued: ['next', 'later'], working: ['works'], needs: [], ended: ['new', 'old'] });
  expect([shown, all]).toEqual([5, 5]);
  expect(board(state, 'conv_1', 'lead', { ...NO_FILTER, status: 'broken' }).columns.ended).toEqual(['new']);
});

describe('a key on the board', () => {
  const { columns } = board(state, 'conv_1', 'lead', NO_FILTER);
  test.each([
    ['next', 'ArrowDown', 'later'],
    ['later', 'ArrowDown', null],
    ['later', 'Home', 'next'],
    ['new', 'End', 'old'],
    ['later', 'ArrowRight', 'works'],
    ['works', 'ArrowRight', 'new'],
    ['old', 'ArrowLeft', 'works'],
    ['next', 'ArrowLeft', null],
    ['gone', 'ArrowDown', 'next'],
    ['works', 'x', null],
  ])('%s, %s → %s', (current, key, next) => {
    expect(boardMove(columns, current, key)).toBe(next);
  });
});

test('under the pointer cards stay in their places: what is new comes last, what is gone goes', () => {
  const before = { queued: ['c'], working: ['a', 'b'], needs: [], ended: ['z'] };
  const next = { queued: ['d'], working: ['c'], needs: ['b'], ended: ['a', 'z'] };
  expect(heldColumns(before, next)).toEqual({ queued: ['c', 'd'], working: ['a', 'b'], needs: [], ended: ['z'] });
  expect(heldColumns(before, { ...next, ended: ['z'] }).working).toEqual(['b']);
});
