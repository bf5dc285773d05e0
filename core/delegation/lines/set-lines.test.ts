import { describe, expect, test } from 'vitest';
import { formatDuration } from './duration.ts';
import { endLine, setHeader, startLine, taskLabel, taskName, type EndedTask } from './set-lines.ts';

const ended: EndedTask = {
  set: 1,
  index: 2,
  count: 9,
  label: null,
  goal: 'Fix the tests',
  outcome: 'completed',
  caveat: false,
  failure_reason: null,
  error: null,
  duration_seconds: 12.3,
};

describe('labels (L1, L2)', () => {
  test('L2: a task of several is [set 2 · 3/9]', () => {
    expect(taskLabel({ set: 2, index: 2, count: 9 })).toBe('[set 2 · 3/9]');
  });

  test('case 10: a lone task shows [set 3]', () => {
    expect(taskLabel({ set: 3, index: 0, count: 1 })).toBe('[set 3]');
  });

  test('case 10: sets of 9 and 3 carry their own number and size on every line', () => {
    const labels = (set: number, count: number) =>
      Array.from({ length: count }, (_, index) => taskLabel({ set, index, count }));
    expect(new Set([...labels(1, 9), ...labels(2, 3)]).size).toBe(12);
    expect(labels(2, 3)).toEqual(['[set 2 · 1/3]', '[set 2 · 2/3]', '[set 2 · 3/3]']);
  });
});

describe('lines of a set (L4)', () => {
  test('L4: a set of more than one task has a header', () => {
    expect(setHeader(1, 9)).toBe('[set 1] delegating 9 tasks');
  });

  test('L4: a set of one task has no header', () => {
    expect(setHeader(1, 1)).toBeNull();
  });

  test('L4: the line of a task that starts has the form of the line at its end', () => {
    expect(startLine(ended)).toBe('▸ [set 1 · 3/9] Fix the tests');
  });

  test('L4: completed → ✓ and no reason, even if an error text is there', () => {
    expect(endLine({ ...ended, error: 'something' })).toBe('✓ [set 1 · 3/9] Fix the tests (12s)');
  });

  test('L4: completed with a caveat → ⚠', () => {
    expect(endLine({ ...ended, caveat: true })).toBe('⚠ [set 1 · 3/9] Fix the tests (12s)');
  });

  test('L4: stopped → ■ without a reason', () => {
    expect(endLine({ ...ended, outcome: 'stopped', error: 'x' })).toBe('■ [set 1 · 3/9] Fix the tests (12s)');
  });

  test.each(['failed', 'timed_out', 'lost'] as const)('L4: %s → ✗ with the reason', (outcome) => {
    expect(endLine({ ...ended, outcome, error: 'exit 3:  boom\n' })).toBe(
      '✗ [set 1 · 3/9] Fix the tests (12s) — exit 3: boom',
    );
  });

  test('L4: the reason has at most 120 characters, the name at most 40', () => {
    const line = endLine({ ...ended, outcome: 'failed', goal: 'g'.repeat(80), error: 'e'.repeat(500) });
    const [head = '', reason = ''] = line.split(' — ');
    expect(reason).toBe(`${'e'.repeat(119)}…`);
    expect(head).toContain(` ${'g'.repeat(39)}… (`);
  });

  test('L4: a failure without text still says what kind it was', () => {
    expect(endLine({ ...ended, outcome: 'failed', failure_reason: 'auth', error: ' ' })).toContain('refused the key');
    expect(endLine({ ...ended, outcome: 'lost' })).toContain('— nobody can prove');
  });

  test('L4: the label comes before the goal, on one line', () => {
    expect(taskName({ label: 'Short\nname', goal: 'Long goal' }, 40)).toBe('Short name');
    expect(taskName({ label: '  ', goal: 'Long goal' }, 40)).toBe('Long goal');
  });
});

describe('durations (L4, L5)', () => {
  test.each([
    [0, '0s'],
    [12.4, '12s'],
    [119.4, '119s'],
    [119.6, '2 min'],
    [120, '2 min'],
    [7200, '120 min'],
    [-1, '0s'],
  ])('%d seconds → %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  test('case 11: 150 s → 3 min', () => {
    expect(formatDuration(150)).toBe('3 min');
  });
});
