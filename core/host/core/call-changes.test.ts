import { expect, test } from 'vitest';
import type { CallChange } from '../../registry/store/call-changes.ts';
import { callChanges } from './call-changes.ts';

const diff = (path: string, text: string, added = 1, removed = 1) =>
  ({ type: 'diff', path, diff: text, added, removed }) as const;

test('W4: a file is listed once, with its diffs in the order of the calls', () => {
  const { files, patch, cut } = callChanges(
    [
      diff('a', '@@ -1 +1 @@\n-x\n+y'),
      diff('b', '@@ -0,0 +1 @@\n+n', 1, 0),
      diff('a', '@@ -9 +9 @@\n-p\n+q'),
      diff('c', '', 0, 0),
    ],
    1000,
  );
  expect(files.map(({ path, status, additions, deletions }) => [path, status, additions, deletions])).toEqual([
    ['a', 'modified', 2, 2],
    ['b', 'added', 1, 0],
  ]);
  expect(patch).toBe(
    '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n@@ -9 +9 @@\n-p\n+q\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+n\n',
  );
  expect(cut).toBe(false);
});

test('W4: a file too large to be compared is listed without lines, and a long patch is cut', () => {
  const large: CallChange = { type: 'files', paths: ['big'] };
  const { files, patch, cut } = callChanges([large, diff('big', '@@ -1 +1 @@\n-x\n+y')], 10);
  expect(files).toEqual([{ path: 'big', old_path: null, status: 'modified', additions: null, deletions: null }]);
  expect(patch).toHaveLength(10);
  expect(cut).toBe(true);
});
