import { describe, expect, test } from 'vitest';
import { aRun } from '../../testing/fixtures.ts';
import { actionsOf, lineWords, sumWords, worktreeWords } from './change-words.ts';

const worktree = {
  branch: 'espalier/run_a',
  path: '/data/wt/run_a',
  state: 'kept',
  commits: 2,
  dirty: true,
  applied: null,
} as const;

describe('what can be done', () => {
  test('W4: nothing while the run lives or without a worktree', () => {
    expect(actionsOf(aRun({ run_id: 'a', worktree }))).toEqual({ apply: false, keep: false, discard: false });
    expect(actionsOf(aRun({ run_id: 'a', state: 'ended' })).apply).toBe(false);
  });

  test('W4: everything with a kept one, no second keep of a branch, nothing of a discarded one', () => {
    const of = (state: string) => actionsOf(aRun({ run_id: 'a', state: 'ended', worktree: { ...worktree, state } }));
    expect(of('kept')).toEqual({ apply: true, keep: true, discard: true });
    expect(of('branch')).toEqual({ apply: true, keep: false, discard: true });
    expect(of('discarded')).toEqual({ apply: false, keep: false, discard: false });
  });
});

test('the state of a worktree says branch, commits and what no commit has', () => {
  expect(worktreeWords(worktree)).toBe('2 commits on espalier/run_a, and changes that no commit has');
  expect(worktreeWords({ ...worktree, dirty: false, commits: 1 })).toBe('1 commit on espalier/run_a');
  expect(worktreeWords({ ...worktree, commits: 0 })).toBe('Changes that no commit has, on espalier/run_a');
  expect(worktreeWords({ ...worktree, applied: 'merge' })).toBe(
    'Merged into the project. Its worktree, on espalier/run_a, is still there',
  );
  expect(worktreeWords({ ...worktree, state: 'from_the_future' })).toBe('from_the_future');
});

test('lines that were not counted are not written as none', () => {
  const change = { path: 'a', old_path: null, status: 'modified' } as const;
  expect(lineWords({ additions: null, deletions: 3 })).toEqual({ added: '', removed: '−3' });
  expect(
    sumWords([
      { ...change, additions: 5, deletions: 3 },
      { ...change, additions: null, deletions: null },
    ]),
  ).toBe('2 files, +5 −3');
});
