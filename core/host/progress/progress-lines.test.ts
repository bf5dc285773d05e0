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

  test('R9: what a pause holds is told once for a set, and for a run at work by itself, each with what undoes it', () => {
    const lines = new ProgressLines();
    const queued = { state: 'queued', reason: 'paused', words: 'Queued: paused', started_at: null };
    const paused = { ...set(9), paused: true };
    const undo = '… [set 1]: paused; espalier resume deleg_1 undoes it';
    // The set's own row may come after those of its runs.
    expect(lines.take(changes(run(1, queued), run(2, queued), paused))).toEqual(['[set 1] delegating 9 tasks', undo]);
    expect(lines.take(changes(run(3, queued)))).toEqual([]);
    expect(lines.take(changes(set(9), run(1, { ...queued, reason: 'concurrency' })))).toEqual([]);
    expect(lines.take(changes(paused, run(1, queued)))).toEqual([undo]);
    expect(lines.take(changes(set(9), run(2, queued)))).toEqual(['… [set 1]: paused; espalier resume --all undoes it']);
    const own = run(4, { state: 'waiting', reason: 'paused', words: 'Paused', paused: true });
    expect(lines.take(changes(own)).at(-1)).toBe(
      '… [set 1 · 5/9] Goal number 4: Paused; espalier resume run_4 undoes it',
    );
  });

  test('R5: a wait for money is told, before the start once for a set; R10: a task that never began says why', () => {
    const lines = new ProgressLines();
    const waits = { state: 'queued', reason: 'budget', words: 'Queued: budget', started_at: null };
    lines.take(changes(set(9)));
    expect(lines.take(changes(run(0, waits), run(1, waits)))).toEqual(['… [set 1]: Queued: budget']);
    const again = { state: 'waiting', reason: 'budget', words: 'Waiting: budget' };
    expect(lines.take(changes(run(2, again))).at(-1)).toBe('… [set 1 · 3/9] Goal number 2: Waiting: budget');
    const error = '[set 1 · 1/9] ended failed, and this task needs it completed without caveat.';
    const never = { outcome: 'stopped', exit_reason: 'dependency', error, started_at: null };
    expect(lines.take(changes(ended(3, never)))).toEqual([
      expect.stringMatching(/^■ \[set 1 · 4\/9\]/) as string,
      `  → ${error}`,
    ]);
  });

  test('C2: where a message stands is told at each step, with its text; again after a lost line nothing is', () => {
    const lines = new ProgressLines();
    lines.take(changes(set(9), run(0)));
    const steer = (state: string, steer_id = 's1') => ({ steer_id, run_id: 'run_0', state, text: 'Use\ntabs.' });
    const told = (state: string, id?: string): string[] =>
      lines.take({ type: 'changes', rev: 1, changes: [{ type: 'steer', row: steer(state, id) as never }] });
    const name = '→ [set 1 · 1/9] Goal number 0: message';
    expect([...told('accepted'), ...told('queued'), ...told('delivered'), ...told('delivered')]).toEqual([
      `${name} sent: Use tabs.`,
      `${name} delivered: Use tabs.`,
    ]);
    expect([...told('accepted', 's2'), ...told('missed', 's2'), ...told('handed_over', 's3')].slice(1)).toEqual([
      `${name} missed: Use tabs.`,
      `${name} handed over, whether it was read is not known: Use tabs.`,
    ]);
    const snapshot = { sets: [set(9)], runs: [run(0)], steers: [steer('delivered')] };
    expect(lines.take({ type: 'snapshot', rev: 9, snapshot: snapshot as never })).toEqual([]);
  });

  test('a lead has no lines of a set, but its failure is told; controls of a terminal are taken out', () => {
    const lines = new ProgressLines();
    const lead = { delegation_id: null, set: null, task_index: null, tag: '' };
    expect(lines.take(changes(run(0, lead)))).toEqual([]);
    const failure_line = 'Goal — no key\u001b[31m';
    expect(lines.take(changes(ended(0, { ...lead, outcome: 'failed', failure_line })))).toEqual(['✗ Goal — no key']);
  });
});
