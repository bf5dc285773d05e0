import { describe, expect, test } from 'vitest';
import type { FeedMessage } from '../../protocol/feed.ts';
import type { RunRow, SetRow } from '../../protocol/rows.ts';
import { ProgressLines } from './progress-lines.ts';

const set = (count: number, number = 1): SetRow =>
  ({ delegation_id: `deleg_${number}`, set: number, count, status: 'running' }) as SetRow;

function run(index: number, changed: Partial<RunRow> = {}): RunRow {
  const row = {
    run_id: `run_${index}`,
    delegation_id: 'deleg_1',
    set: 1,
    task_index: index,
    tag: `[set 1 · ${index + 1}/9]`,
    label: null,
    goal: `Goal number ${index}`,
    state: 'running',
    reason: null,
    until: null,
    words: 'Running',
    outcome: null,
    failure_reason: null,
    caveats: [],
    error: null,
    failure_line: null,
    advice: null,
    started_at: 1,
    active_seconds: 12.3,
  };
  return { ...row, ...changed } as RunRow;
}

const changes = (...rows: (RunRow | SetRow)[]): FeedMessage => ({
  type: 'changes',
  rev: 1,
  changes: rows.map((row) => ('run_id' in row ? { type: 'run', row } : { type: 'set', row })),
});

const ended = (index: number, changed: Partial<RunRow> = {}): RunRow =>
  run(index, { state: 'ended', outcome: 'completed', words: 'Completed', ...changed });

describe('progress on a terminal (L4, L5)', () => {
  test('header, start and end of each task, each once', () => {
    const lines = new ProgressLines();
    const queued = run(2, { state: 'queued', started_at: null });
    expect(lines.take(changes(set(9), queued))).toEqual(['[set 1] delegating 9 tasks']);
    expect(lines.take(changes(run(2)))).toEqual(['▸ [set 1 · 3/9] Goal number 2']);
    expect(lines.take(changes(run(2, { turns: 3 })))).toEqual([]);
    expect(lines.take(changes(ended(2), set(9)))).toEqual(['✓ [set 1 · 3/9] Goal number 2 (12s)']);
    expect(lines.take(changes(ended(2, { seen: true })))).toEqual([]);
  });

  test('a failure has its reason and what to do; caveats and stops have their marks', () => {
    const lines = new ProgressLines();
    lines.take(changes(set(9)));
    const failed = { outcome: 'failed', error: 'exit 3: boom', failure_line: 'x', advice: 'retry it later' };
    expect(lines.take(changes(ended(0, failed)))).toEqual([
      '▸ [set 1 · 1/9] Goal number 0',
      '✗ [set 1 · 1/9] Goal number 0 (12s) — exit 3: boom',
      '  → retry it later',
    ]);
    const truncated = ended(1, { caveats: ['truncated'], words: 'Completed: turn limit reached' });
    expect(lines.take(changes(truncated)).slice(-2)).toEqual([
      expect.stringMatching(/^⚠ /),
      '  → Completed: turn limit reached',
    ]);
    expect(lines.take(changes(ended(2, { outcome: 'stopped' }))).at(-1)).toMatch(/^■ /);
  });

  test('what never began has only its end, and T7: an unknown outcome is shown as itself', () => {
    const lines = new ProgressLines();
    lines.take(changes(set(9)));
    expect(lines.take(changes(ended(0, { started_at: null, outcome: 'stopped' })))).toHaveLength(1);
    const newer = ended(1, { outcome: 'paused_forever', words: 'Paused for ever' });
    expect(lines.take(changes(newer)).at(-1)).toBe('? [set 1 · 2/9] Goal number 1: Paused for ever');
  });

  test('a snapshot after a lost line repeats nothing and brings what was missed, in order', () => {
    const lines = new ProgressLines();
    lines.take(changes(set(9), run(1)));
    const snapshot = { sets: [set(9)], runs: [ended(3), run(1), ended(0)] };
    expect(lines.take({ type: 'snapshot', rev: 9, snapshot: snapshot as never })).toEqual([
      '▸ [set 1 · 1/9] Goal number 0',
      '✓ [set 1 · 1/9] Goal number 0 (12s)',
      '▸ [set 1 · 4/9] Goal number 3',
      '✓ [set 1 · 4/9] Goal number 3 (12s)',
    ]);
  });

  test('a run that comes before its set waits for it', () => {
    const lines = new ProgressLines();
    expect(lines.take(changes(run(0)))).toEqual([]);
    expect(lines.take(changes(set(1)))).toEqual(['▸ [set 1] Goal number 0']);
  });

  test('a wait that a person can end, or that takes long, is told once', () => {
    const lines = new ProgressLines();
    lines.take(changes(set(9), run(0)));
    const until = new Date(2026, 1, 3, 9, 5).getTime();
    const limited = run(0, { state: 'waiting', reason: 'rate_limit', words: 'Waiting: rate limit', until });
    expect(lines.take(changes(limited))).toEqual(['… [set 1 · 1/9] Goal number 0: Waiting: rate limit until 09:05']);
    expect(lines.take(changes(limited))).toEqual([]);
    const asked = run(0, { state: 'waiting', reason: 'permission', words: 'Waiting: permission' });
    expect(lines.take(changes(asked))).toEqual(['… [set 1 · 1/9] Goal number 0: Waiting: permission']);
    expect(lines.take(changes(run(0, { state: 'waiting', reason: 'children', words: 'Waiting: children' })))).toEqual(
      [],
    );
  });

  test('a lead has no lines of a set, but its failure is told; controls of a terminal are taken out', () => {
    const lines = new ProgressLines();
    const lead = { delegation_id: null, set: null, task_index: null, tag: '' };
    expect(lines.take(changes(run(0, lead)))).toEqual([]);
    const failure_line = 'Goal — no key\u001b[31m';
    expect(lines.take(changes(ended(0, { ...lead, outcome: 'failed', failure_line })))).toEqual(['✗ Goal — no key']);
  });
});
