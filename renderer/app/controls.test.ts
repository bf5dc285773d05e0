import { describe, expect, test } from 'vitest';
import { aConversation, anApp, aRun, aSet } from '../testing/fixtures.ts';
import { gatesOf, isWorthRetrying, mayContinue, mayPause, mayRetry, maySteer, pausedNow } from './controls.ts';

const byId = <T>(rows: readonly T[], id: (row: T) => string): Map<string, T> =>
  new Map(rows.map((row) => [id(row), row]));

const ended = { state: 'ended', outcome: 'failed', exit_reason: 'error' } as const;

describe('what a run offers', () => {
  test('R9: a program at work cannot be held, one that has not started can', () => {
    expect(mayPause(aRun({ run_id: 'a', runner: 'command' }))).toBe(false);
    expect(mayPause(aRun({ run_id: 'a', runner: 'command', state: 'queued', reason: 'concurrency' }))).toBe(true);
    expect(mayPause(aRun({ run_id: 'a', runner: 'builtin' }))).toBe(true);
    expect(mayPause(aRun({ run_id: 'a', runner: 'builtin', state: 'stopping' }))).toBe(false);
  });

  test('C2: a message reaches whoever hears it, never a command', () => {
    expect(maySteer(aRun({ run_id: 'a', runner: 'builtin' }))).toBe(true);
    expect(maySteer(aRun({ run_id: 'a', runner: 'builtin', state: 'stopping' }))).toBe(false);
    expect(maySteer(aRun({ run_id: 'a', runner: 'command' }))).toBe(false);
    expect(maySteer(aRun({ run_id: 'a', runner: 'command', state: 'queued', reason: 'concurrency' }))).toBe(false);
  });

  test('C5: retry is for the last run of a slot, never for a lead', () => {
    expect(mayRetry(aRun({ run_id: 'a', ...ended }))).toBe(true);
    expect(mayRetry(aRun({ run_id: 'a' }))).toBe(false);
    expect(mayRetry(aRun({ run_id: 'a', ...ended, lead: true }))).toBe(false);
    expect(mayRetry(aRun({ run_id: 'a', ...ended, continued_by: 'b' }))).toBe(false);
  });

  test('C5: only a runner that keeps a session is gone on with', () => {
    expect(mayContinue(aRun({ run_id: 'a', ...ended, runner: 'builtin' }))).toBe(true);
    expect(mayContinue(aRun({ run_id: 'a', ...ended, runner: 'command' }))).toBe(false);
    expect(mayContinue(aRun({ run_id: 'a', ...ended, runner: 'builtin', retried_by: 'b' }))).toBe(false);
  });

  test('C5: what a person stopped is not retried with the failed, what a dependency kept back is', () => {
    expect(isWorthRetrying(aRun({ run_id: 'a', ...ended }))).toBe(true);
    expect(isWorthRetrying(aRun({ run_id: 'a', ...ended, outcome: 'stopped', exit_reason: 'stopped' }))).toBe(false);
    expect(isWorthRetrying(aRun({ run_id: 'a', ...ended, outcome: 'stopped', exit_reason: 'dependency' }))).toBe(true);
    expect(isWorthRetrying(aRun({ run_id: 'a', ...ended, outcome: 'completed' }))).toBe(false);
    expect(isWorthRetrying(aRun({ run_id: 'a', ...ended, outcome: 'completed', caveats: ['truncated'] }))).toBe(true);
  });
});

describe('what is paused', () => {
  const rows = {
    app: anApp({ paused: true }),
    conversations: byId(
      [aConversation({ paused: true }), aConversation({ conversation_id: 'conv_2', paused: true })],
      (row) => row.conversation_id,
    ),
    sets: byId(
      [aSet({ delegation_id: 'deleg_1', paused: true }), aSet({ delegation_id: 'deleg_2', paused: true, ended_at: 9 })],
      (row) => row.delegation_id,
    ),
    runs: byId([aRun({ run_id: 'run_a', paused: true }), aRun({ run_id: 'run_b' })], (row) => row.run_id),
  };

  test('names every closed gate, those of other conversations too, and no ended set', () => {
    const now = pausedNow(rows, 'conv_1');
    expect(now.app).toBe(true);
    expect(now.conversation?.conversation_id).toBe('conv_1');
    expect(now.sets.map((row) => row.delegation_id)).toEqual(['deleg_1']);
    expect(now.runs.map((row) => row.run_id)).toEqual(['run_a']);
    expect(now.others.map((row) => row.conversation_id)).toEqual(['conv_2']);
  });

  test('of a run: its own gate first, the whole app last', () => {
    const run = aRun({ run_id: 'run_a', paused: true });
    expect(gatesOf(rows, run).map(({ type }) => type)).toEqual(['run', 'set', 'conversation', 'app']);
  });
});
