import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';

const DIFF = `@@ -86,3 +86,3 @@
   const now = clock.now()
-  await store.del(token)
+  const fam = await store.family(token)
   return fam`;

describe('diffLines', () => {
  it('numbers lines on both sides', () => {
    expect(diffLines(DIFF)).toEqual([
      { type: 'same', before: 86, after: 86, text: '  const now = clock.now()' },
      { type: 'remove', before: 87, after: null, text: '  await store.del(token)' },
      { type: 'add', before: null, after: 87, text: '  const fam = await store.family(token)' },
      { type: 'same', before: 88, after: 88, text: '  return fam' },
    ]);
  });

  it('puts a gap between hunks and leaves the file header out', () => {
    const lines = diffLines(
      `diff --git a/a b/a\nindex 1..2\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@ f()\n-x\n+y\n`,
    );
    expect(lines.map(({ type, text }) => `${type}:${text}`)).toEqual([
      'remove:a',
      'add:b',
      'gap:f()',
      'remove:x',
      'add:y',
    ]);
    expect(lines.at(-1)).toMatchObject({ after: 9 });
  });

  it('keeps a removed line that looks like a header', () => {
    expect(diffLines('@@ -1,1 +0,0 @@\n--- a comment')).toEqual([
      { type: 'remove', before: 1, after: null, text: '-- a comment' },
    ]);
  });

  it('an empty line of a hunk is an empty line of both sides', () => {
    expect(diffLines('@@ -1,2 +1,2 @@\n\n a')).toMatchObject([
      { type: 'same', before: 1 },
      { before: 2, text: 'a' },
    ]);
  });

  it('what is no line of a diff is a note', () => {
    expect(diffLines('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n… diff cut').slice(1)).toMatchObject([
      { type: 'note', text: '\\ No newline at end of file' },
      { type: 'note', text: '… diff cut' },
    ]);
    expect(diffLines('no diff at all')).toMatchObject([{ type: 'note', text: 'no diff at all' }]);
  });
});
