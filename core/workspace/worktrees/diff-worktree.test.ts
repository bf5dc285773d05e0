import { expect, test } from 'vitest';
import { fileChanges } from './diff-worktree.ts';

test('names and counts of one diff are joined, renamed and binary files too', () => {
  const names = 'A\0new file.txt\0M\0img.png\0R090\0old\tname\0new\nname\0D\0gone\0';
  const counts = '3\t0\tnew file.txt\0-\t-\timg.png\x001\t2\t\0old\tname\0new\nname\x000\t9\tgone\0';
  expect(fileChanges(names, counts)).toEqual([
    { path: 'new file.txt', old_path: null, status: 'added', additions: 3, deletions: 0 },
    { path: 'img.png', old_path: null, status: 'modified', additions: null, deletions: null },
    { path: 'new\nname', old_path: 'old\tname', status: 'renamed', additions: 1, deletions: 2 },
    { path: 'gone', old_path: null, status: 'deleted', additions: 0, deletions: 9 },
  ]);
});

test('no change is no file', () => {
  expect(fileChanges('', '')).toEqual([]);
});
