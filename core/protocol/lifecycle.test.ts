import { describe, expect, test } from 'vitest';
import {
  hasAttempt,
  holdsPlace,
  isEnded,
  isLive,
  isSteerable,
  LIFECYCLE,
  mayMove,
  needsPerson,
  RunState,
  stateWords,
  WaitReason,
} from './lifecycle.ts';
import { WAIT_REASONS } from './wait-reasons.ts';

/** T1 a second time, by hand: `x` is a legal move from the state on the left to the state above. */
const MOVES = `
            queued starting running waiting stopping ended
  queued    -      x        -       -       -        x
  starting  -      -        x       x       x        x
  running   -      -        -       x       x        x
  waiting   -      x        x       -       x        x
  stopping  -      -        -       -       -        x
  ended     -      -        -       -       -        -
`;

/** What each state allows, by hand. */
const ALLOWS = `
            live attempt reason steer
  queued    x    -       x      x
  starting  x    x       -      x
  running   x    x       -      x
  waiting   x    x       x      x
  stopping  x    x       -      -
  ended     -    -       -      -
`;

/** T1 and R1 by hand: whether a run that waits for it keeps its place, and whether it is in the inbox (A2). */
const REASONS = `
              place person
  concurrency -     -
  dependency  -     -
  budget      -     -
  rate_limit  x     -
  permission  x     x
  question    x     x
  user        -     -
  children    -     -
  paused      -     -
  storage     x     -
  restart     x     -
`;

/** Cells of a table as [row, column, value]. */
function cells(table: string): [string, string, boolean][] {
  const [head = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([name = '', ...marks]) =>
    head.map((column, at): [string, string, boolean] => [name, column, marks[at] === 'x']),
  );
}

const rowNames = (table: string): string[] => [...new Set(cells(table).map(([row]) => row))];

describe('T1: the table of moves', () => {
  test.each(cells(MOVES))('%s → %s: %s', (from, to, legal) => {
    expect(mayMove(from, to as RunState)).toBe(legal);
  });

  test('T1: the second table has every state', () => {
    expect(rowNames(MOVES)).toEqual(RunState.options);
    expect(rowNames(ALLOWS)).toEqual(RunState.options);
    expect(rowNames(REASONS)).toEqual(WaitReason.options);
  });

  test('T1: ended is reachable from every other state, and is the end', () => {
    for (const state of RunState.options) expect(mayMove(state, 'ended')).toBe(state !== 'ended');
  });

  test('T7: nothing moves out of a state of a newer build', () => {
    for (const to of RunState.options) expect(mayMove('hibernating', to)).toBe(false);
  });
});

test.each(cells(ALLOWS))('T1: %s, %s: %s', (state, what, expected) => {
  const answers: Record<string, boolean> = {
    live: isLive(state),
    attempt: hasAttempt(state),
    reason: LIFECYCLE[state as RunState].reason,
    steer: isSteerable(state),
  };
  expect(answers[what]).toBe(expected);
  expect(isEnded(state)).toBe(state === 'ended');
});

test.each(cells(REASONS))('R1: a run that waits for %s, %s: %s', (reason, what, expected) => {
  const answer = what === 'place' ? holdsPlace('waiting', reason) : needsPerson('waiting', reason);
  expect(answer).toBe(expected);
});

test('R1: a place is held from the start to the proved end, and never while queued', () => {
  const held = RunState.options.filter((state) => holdsPlace(state, null));
  expect(held).toEqual(['starting', 'running', 'waiting', 'stopping']);
  expect(holdsPlace('hibernating', null)).toBe(false);
  expect(holdsPlace('waiting', 'winter')).toBe(true);
});

test('R7, B12: of all reasons to wait only a limit of the provider counts as active time: a deadline cuts that wait', () => {
  const counted = Object.entries(WAIT_REASONS).filter(([, { active }]) => active);
  expect(counted.map(([reason]) => reason)).toEqual(['rate_limit']);
});

test.each([
  ['queued', 'concurrency', 'Queued: for a place'],
  ['queued', 'paused', 'Queued: paused'],
  ['waiting', 'rate_limit', 'Waiting: rate limit'],
  ['waiting', 'user', 'Waiting: for your message'],
  ['running', null, 'Running'],
  ['running', 'children', 'Running'],
  ['ended', null, 'Ended'],
  ['waiting', 'winter', 'Waiting: winter'],
  ['hibernating', 'winter', 'hibernating'],
])('T1, T7: %s with reason %s reads “%s”', (state, reason, words) => {
  expect(stateWords(state, reason)).toBe(words);
});
