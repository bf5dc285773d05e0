import { expect, test } from 'vitest';
import { splitPatch } from './split-patch.ts';

const paths = (patch: string): readonly string[] => splitPatch(patch).map(({ path }) => path);

test('W4: a patch is cut at its files, also where a line of a hunk looks like a header', () => {
  const patch = [
    '--- a/list.sql',
    '+++ b/list.sql',
    '@@ -1,2 +1,2 @@',
    '--- a comment',
    '+++ another',
    ' same',
    '--- /dev/null',
    '+++ b/new.txt',
    '@@ -0,0 +1 @@',
    '+new',
    '',
  ].join('\n');
  const parts = splitPatch(patch);
  expect(parts.map(({ path }) => path)).toEqual(['list.sql', 'new.txt']);
  expect(parts[1]?.text).toBe('--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n');
});

test('W4: deleted, renamed and binary files are named', () => {
  const patch = [
    'diff --git a/old.ts b/old.ts',
    'deleted file mode 100644',
    '--- a/old.ts',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-x',
    'diff --git a/a b.png b/a b.png',
    'index 1..2 100644',
    'Binary files a/a b.png and b/a b.png differ',
    'diff --git a/from.ts b/to.ts',
    'similarity index 100%',
    'rename from from.ts',
    'rename to to.ts',
    '',
  ].join('\n');
  expect(paths(patch)).toEqual(['old.ts', 'a b.png', 'to.ts']);
});

test('a quoted path is read as UTF-8', () => {
  expect(paths('--- "a/b\\303\\244r \\"x\\".txt"\n+++ "b/b\\303\\244r \\"x\\".txt"\n@@ -1 +1 @@\n-a\n+b\n')).toEqual([
    'bär "x".txt',
  ]);
});

test('no patch → no files', () => {
  expect(splitPatch('')).toEqual([]);
});
