import { expect, test } from 'vitest';
import { diffLines } from '../../shared/diff-lines.ts';
import { languageOf, sideOf } from './code-colours.ts';

test('the grammar is told by the ending, or by the name without one', () => {
  expect(['src/a.test.TS', 'Makefile', 'a.b/c'].map(languageOf)).toEqual(['ts', 'makefile', 'c']);
});

test('a side of a diff is its own lines in their order', () => {
  const lines = diffLines('@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -9 +9 @@ fn\n-c\n+C\n');
  expect(sideOf(lines, ['same', 'remove']).code).toBe('a\nb\nc');
  const after = sideOf(lines, ['same', 'add']);
  expect(after.code).toBe('a\nB\nC');
  expect([...after.places].map(([line, place]) => [line.text, place])).toEqual([
    ['a', 0],
    ['B', 1],
    ['C', 2],
  ]);
});
