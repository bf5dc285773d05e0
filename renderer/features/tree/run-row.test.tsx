import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { anAsk, aRun } from '../../testing/fixtures.ts';
import { activityParts, secondLine } from '../../app/row-text.ts';
import { RunRowView } from './run-row.tsx';

const row = (part: Partial<RunRow>, options: { height?: number; nested?: boolean } = {}): string =>
  renderToStaticMarkup(
    <RunRowView
      run={aRun({ run_id: 'run_a', task_index: 3, label: 'Postgres adapter', ...part })}
      ask={anAsk()}
      count={9}
      height={options.height ?? 40}
      nested={options.nested ?? false}
    />,
  );

describe('a row', () => {
  test('shows place, label, time, money, agent and activity', () => {
    const html = row({ activity: 'Editing src/rotate.ts', active_seconds: 1325, total_cost_usd: 1.42 });
    for (const part of ['4/9', 'Postgres adapter', '22m', '1.42', 'claude-code', '<code>src/rotate.ts</code>']) {
      expect(html).toContain(part);
    }
  });

  test('cuts a name where that name ends, in any script', () => {
    expect(row({})).toMatch(/class="run-label el" dir="auto"/);
  });

  test('of a failed run says what went wrong and what to do', () => {
    const html = row(
      {
        state: 'ended',
        outcome: 'failed',
        failure_text: 'no such relation',
        failure_line: 'Postgres adapter — no such relation',
        advice: 'Migration 0042 has not run.',
      },
      { height: 56 },
    );
    expect(html).toContain('no such relation');
    expect(html).toContain('Migration 0042 has not run.');
    expect(html).toContain('Open transcript</button>');
    expect(html).toContain('aria-label="Retry Postgres adapter"');
    expect(html).toContain('aria-label="Failed"');
    expect(html).not.toContain('Stop Postgres adapter');
  });

  test('of a run that asks shows the command and a way to answer', () => {
    const html = row({ state: 'waiting', reason: 'permission', words: 'Waiting: permission' });
    expect(html).toContain('is-need');
    expect(html).toContain('pnpm remove express-session');
    expect(html).toContain('Answer</button>');
  });

  test('case 19: a state or outcome of a newer build is shown in its own words, never as running', () => {
    for (const part of [
      { state: 'hibernating', words: 'Hibernating' },
      { state: 'ended', outcome: 'evaporated', words: 'Evaporated' },
    ]) {
      const html = row({ ...part, activity: null });
      expect(html).toContain(part.words);
      expect(html).not.toContain('aria-label="Running"');
    }
  });

  test('R5: shows no money while the cost is unknown', () => {
    expect(row({ total_cost_usd: null })).not.toMatch(/\$/);
  });

  test('in a nested card has no column for money', () => {
    expect(row({ total_cost_usd: 1.42 }, { nested: true })).not.toContain('1.42');
  });

  test('C5: of a failed run that another has followed offers no second retry', () => {
    const failed = { state: 'ended', outcome: 'failed', failure_text: 'no', retried_by: 'run_b' } as const;
    expect(row(failed, { height: 56 })).not.toContain('Retry');
  });

  test('R9: says when a pause waits for the next safe boundary, and offers the way back', () => {
    const html = row({ paused: true, runner: 'builtin' });
    expect(html).toContain('pauses at its next safe boundary');
    expect(html).toContain('aria-label="Resume Postgres adapter"');
    expect(row({ paused: true, state: 'waiting', reason: 'paused', words: 'Waiting: paused' })).not.toContain(
      'next safe boundary',
    );
  });

  test('B31: a hidden character in a label is written out', () => {
    expect(row({ label: 'a\u202Eb' })).toContain('a⟨U+202E⟩b');
  });

  test('offers steer and stop only while the run takes them', () => {
    expect(row({})).toContain('aria-label="Steer Postgres adapter"');
    expect(row({ state: 'stopping' })).not.toContain('aria-label="Steer');
    expect(row({ state: 'ended', outcome: 'completed' })).not.toContain('aria-label="Stop');
  });
});

describe('the second line', () => {
  const lineOf = (part: Partial<RunRow>) => secondLine(aRun({ run_id: 'run_a', ...part }), undefined);

  test('of a wait with a known end says until when', () => {
    const until = new Date(2026, 4, 12, 14, 32).getTime();
    expect(lineOf({ state: 'waiting', reason: 'rate_limit', words: 'Waiting: rate limit', until })).toEqual({
      tone: 'wait',
      text: 'Waiting: rate limit until 14:32',
      code: null,
    });
  });

  test('of a completed run is the first line of its answer, of one with a caveat the caveat', () => {
    const done = { state: 'ended', outcome: 'completed', words: 'Completed', summary: '\nAll green\nMore' } as const;
    expect(lineOf(done).text).toBe('All green');
    expect(lineOf({ ...done, summary: null }).text).toBe('Completed');
    expect(lineOf({ ...done, caveats: ['truncated'], words: 'Completed, turn limit reached' })).toMatchObject({
      tone: 'warn',
      text: 'Completed, turn limit reached',
    });
  });

  test('tells words from what a machine wrote', () => {
    expect(activityParts('Running vitest run reuse')).toEqual({ text: 'Running', code: 'vitest run reuse' });
    expect(activityParts('Reading 6 files')).toEqual({ text: 'Reading 6 files', code: null });
    expect(activityParts('Thinking')).toEqual({ text: 'Thinking', code: null });
  });
});
