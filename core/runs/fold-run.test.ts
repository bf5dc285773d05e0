import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DomainEvent } from '../protocol/events.ts';
import type { RunRow } from '../protocol/rows.ts';
import { caveatsOf, foldRun, type RunEvent } from './fold-run.ts';
import { verdictWords } from './words.ts';

const sample = (type: string): DomainEvent =>
  DomainEvent.parse(
    JSON.parse(readFileSync(new URL(`../protocol/samples/domain-event.${type}.v1.json`, import.meta.url), 'utf8')),
  );

function queued(): RunRow {
  const event = sample('run_queued');
  if (event.type !== 'run_queued') throw new Error('no sample');
  return event.run;
}

const move = (to: 'starting' | 'running' | 'waiting' | 'stopping', reason: RunRow['reason'] = null): RunEvent =>
  ({ type: 'run_moved', v: 1, run_id: 'r', from: 'queued', to, reason, until: null }) as RunEvent;

const progress = (change: object = {}): RunEvent => ({
  type: 'run_progressed',
  v: 1,
  run_id: 'r',
  progress: {
    turns: 3,
    tool_calls: 4,
    tokens: { input: 1, cached_input: 2, cache_write: 3, output: 4, reasoning: 5 },
    cost_usd: 0.1234567,
    cost_status: 'estimated',
    active_seconds: 2.5,
    ...change,
  },
});

function fold(events: [RunEvent, at: number][]): RunRow {
  return events.reduce((row, [event, at]) => foldRun(row, event, at), queued());
}

describe('T1: moves', () => {
  test('R7: active time is what the worker measured; the clock of the core, which may be set, adds nothing', () => {
    const days = 3 * 24 * 3600 * 1000;
    const row = fold([
      [move('starting'), 1_000],
      [move('running'), 2_000],
      [progress(), 9_000],
      [move('waiting', 'user'), 10_000 + days],
    ]);
    expect(row).toMatchObject({ started_at: 1_000, active_seconds: 2.5, active_since: null, state: 'waiting' });
    const back = fold([
      [move('running'), 5_000 + days],
      [progress({ active_seconds: 4 }), 9_000],
      [move('stopping'), 1_000],
    ]);
    expect(back).toMatchObject({ active_seconds: 4, words: 'Stopping' });
  });

  test('R7: the time of a silent run does not begin again when it is told to stop', () => {
    const silent = fold([
      [move('starting'), 1_000],
      [move('running'), 2_000],
    ]);
    expect(foldRun(silent, move('stopping'), 60_000)).toMatchObject({ active_seconds: 0, active_since: 2_000 });
    const asking = foldRun(silent, move('waiting', 'permission'), 3_000);
    expect(foldRun(asking, move('stopping'), 60_000).active_since).toBeNull();
  });

  test('R7: a run at work says since when its time goes on, one that waits for a person does not', () => {
    const row = fold([
      [move('running'), 3_000],
      [progress(), 7_000],
    ]);
    expect(row.active_since).toBe(7_000);
    expect(foldRun(row, move('waiting', 'permission'), 8_000).active_since).toBeNull();
    expect(foldRun(row, move('waiting', 'rate_limit'), 8_000).active_since).toBe(8_000);
  });
});

describe('counters', () => {
  test('case 24: a cost of 0.1234567 is 0.123457', () => {
    expect(fold([[progress(), 1]])).toMatchObject({ cost_usd: 0.123457, turns: 3, tool_calls: 4 });
  });

  test('R5: an unknown price stays unknown, never 0', () => {
    expect(fold([[progress({ cost_usd: null, cost_status: 'unknown' }), 1]])).toMatchObject({
      cost_usd: null,
      cost_status: 'unknown',
    });
  });
});

describe('T7: the end', () => {
  const ended = sample('run_ended') as Extract<DomainEvent, { type: 'run_ended' }>;

  test('T6: the row says what the result says', () => {
    const row = foldRun(queued(), ended, 9_000);
    const { verdict, result } = ended;
    expect(row).toMatchObject({
      state: 'ended',
      reason: null,
      ended_at: 9_000,
      outcome: verdict.outcome,
      exit_reason: verdict.exit_reason,
      failure_reason: verdict.failure_reason,
      turns: result.turns,
      tokens: result.tokens,
      cost_usd: result.cost_usd,
      active_seconds: result.duration_seconds,
      active_since: null,
    });
  });

  test('L5: a failure is unseen until somebody looks, or its retry stands for it', () => {
    const failed = foldRun(queued(), ended, 9_000);
    expect(failed.seen).toBe(false);
    expect(foldRun(failed, { type: 'run_seen', v: 1, run_id: 'r' }, 1).seen).toBe(true);
    expect(foldRun(failed, { type: 'run_retried', v: 1, run_id: 'r', by: 's' }, 1)).toMatchObject({
      seen: true,
      retried_by: 's',
    });
  });

  test('C4: the end of an attempt leaves its proof and survivors in the row', () => {
    const row = fold([
      [{ type: 'attempt_started', v: 1, run_id: 'r', attempt_id: 'a', n: 1, first_entry: 0 }, 1],
      [{ type: 'attempt_connected', v: 1, run_id: 'r', attempt_id: 'a', pid: 12 }, 2],
      [
        {
          type: 'attempt_ended',
          v: 1,
          run_id: 'r',
          attempt_id: 'a',
          proof: { method: 'survivors' },
          survivors: [{ pid: 13, command: 'sleep' }],
        },
        3,
      ],
    ]);
    expect(row).toMatchObject({ attempts: 1, pid: null, proof: { method: 'survivors' }, survivors: [{ pid: 13 }] });
  });
});

const CLEAN = {
  outcome: 'completed',
  exit_reason: 'done',
  failure_reason: null,
  truncated: false,
  error: null,
  text_cut: false,
} as const;

test('T4: caveats are truncated and failed acceptance; passed acceptance is none', () => {
  expect(caveatsOf(CLEAN, undefined)).toEqual([]);
  expect(caveatsOf(CLEAN, { status: 'passed', commands: [] })).toEqual([]);
  expect(caveatsOf({ ...CLEAN, truncated: true }, { status: 'failed', commands: [] })).toEqual([
    'truncated',
    'acceptance_failed',
  ]);
});

test.each([
  [CLEAN, 'Completed'],
  [{ ...CLEAN, exit_reason: 'max_turns' }, 'Completed: turn limit reached'],
  [{ ...CLEAN, outcome: 'failed', exit_reason: 'not_started' }, 'Failed: never started'],
  [{ ...CLEAN, outcome: 'stopped', exit_reason: 'stopped' }, 'Stopped'],
  [{ ...CLEAN, outcome: 'timed_out', exit_reason: 'timeout' }, 'Timed out'],
  [{ ...CLEAN, outcome: 'lost', exit_reason: 'unknown' }, 'Lost'],
] as const)('T4: the words of a verdict, %#', (verdict, words) => {
  expect(verdictWords(verdict)).toBe(words);
});
