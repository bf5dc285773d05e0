import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';
import { diffPairs } from './diff-pairs.ts';

const shown = (diff: string): readonly string[] =>
  diffPairs(diffLines(diff)).map(({ before, after }) => `${before?.text ?? ''}|${after?.text ?? ''}`);

test('removed and added lines stand beside each other, the longer side alone at its end; the same line stands on both', () => {
  expect(shown('@@ -1,4 +1,3 @@\n a\n-b\n-c\n+B\n d\n')).toEqual(['a|a', 'b|B', 'c|', 'd|d']);
  expect(shown('@@ -1 +1,2 @@\n+x\n+y\n-z\n')).toEqual(['|x', '|y', 'z|']);
  expect(shown('@@ -0,0 +1,2 @@\n+x\n+y\n')).toEqual(['|x', '|y']);
});

test('gaps between hunks and notes go through both sides', () => {
  expect(shown('@@ -1 +1 @@\n-a\n+A\n@@ -9 +9 @@ fn\n-b\n+B\n\\ No newline at end of file\n')).toEqual([
    'a|A',
    'fn|fn',
    'b|B',
    '\\ No newline at end of file|\\ No newline at end of file',
  ]);
});
