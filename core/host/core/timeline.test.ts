import { expect, test } from 'vitest';
import { timelineOf, type StoredMove } from './timeline.ts';

const move = (at: number, run_id: string, state: string | null, reason: string | null = null): StoredMove => ({
  at,
  run_id,
  state,
  reason,
  type: state === null ? 'run_ended' : 'run_moved',
});

test('each stretch in a state is a span, the last one of a live run is open', () => {
  const moves = [
    { ...move(0, 'a', 'queued', 'concurrency'), type: 'run_queued' },
    move(5, 'a', 'starting'),
    move(6, 'b', 'queued'),
    move(7, 'a', 'running'),
    move(9, 'a', 'waiting', 'permission'),
    move(9, 'a', 'running'),
    move(12, 'a', null),
    move(15, 'b', 'frozen-in-2031'),
  ];
  expect(timelineOf(moves, false)).toEqual({
    cut: false,
    spans: [
      { run_id: 'a', from: 0, to: 5, state: 'queued', reason: 'concurrency' },
      { run_id: 'a', from: 5, to: 7, state: 'starting', reason: null },
      { run_id: 'b', from: 6, to: 15, state: 'queued', reason: null },
      { run_id: 'a', from: 7, to: 9, state: 'running', reason: null },
      { run_id: 'a', from: 9, to: 12, state: 'running', reason: null },
      { run_id: 'b', from: 15, to: null, state: 'frozen-in-2031', reason: null },
    ],
  });
});
