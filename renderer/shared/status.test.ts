import { expect, test } from 'vitest';
import { RunState } from '../../core/protocol/lifecycle.ts';
import { WAIT_REASONS } from '../../core/protocol/wait-reasons.ts';
import { Outcome } from '../../core/protocol/outcome.ts';
import { MARK_FACTS, markOf } from './status.ts';

const run = (state: string, reason: string | null = null, outcome: string | null = null, caveats: string[] = []) =>
  markOf({ state, reason, outcome, caveats });

test('every state that is not ended has a mark of its own kind', () => {
  expect(Object.fromEntries(RunState.options.filter((s) => s !== 'ended').map((s) => [s, run(s)]))).toEqual({
    queued: 'queued',
    starting: 'running',
    running: 'running',
    waiting: 'waiting',
    stopping: 'running',
  });
});

test('T2: every outcome is its own mark, and T4: a caveat marks a completed run', () => {
  for (const outcome of Outcome.options) expect(run('ended', null, outcome)).toBe(outcome);
  expect(run('ended', null, 'completed', ['truncated'])).toBe('caveat');
  expect(run('ended', null, 'failed', ['truncated'])).toBe('failed');
});

test('a wait for a person is filled exactly when the lifecycle table says that it needs one', () => {
  for (const [reason, { needsPerson }] of Object.entries(WAIT_REASONS)) {
    expect(MARK_FACTS[run('waiting', reason)].needsYou).toBe(needsPerson);
  }
});

test('T7: words of a newer build fall back to what is known beside them', () => {
  expect(run('hibernating')).toBe('waiting');
  expect(run('waiting', 'for_the_moon')).toBe('waiting');
  expect(run('ended', null, 'evaporated')).toBe('lost');
});
