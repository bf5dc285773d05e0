import { expect, test } from 'vitest';
import { whereWorkIs } from './worktree-words.ts';

const kept = { path: '/w', branch: 'b', base_commit: 'c', commits: 0, dirty: false, kept: true };

test.each([
  ['W3: commits alone are on the branch', { commits: 1 }, '1 commit on branch b, in /w'],
  [
    'W3: changes without a commit are in the folder, and the branch has none of them',
    { dirty: true },
    'changes that are not committed, in /w; branch b has none of them',
  ],
  [
    'W3: both are told',
    { commits: 2, dirty: true },
    '2 commits on branch b, and changes that are not committed, in /w',
  ],
  ['W3: nothing is told as nothing', {}, 'nothing new in /w'],
  ['W3: null is not measured', { dirty: null }, 'what is in /w (branch b) was not measured'],
  [
    'W3: a probe that failed is named',
    { inspection_failed: { probe: 'status', exit_code: 1, stderr: 'no index' } },
    'what is in /w (branch b) could not be measured (status: no index)',
  ],
])('%s', (_, found, words) => {
  expect(whereWorkIs({ ...kept, ...found })).toBe(words);
});
