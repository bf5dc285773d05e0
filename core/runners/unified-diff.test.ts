import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const NO_NEWLINE = '\\ No newline at end of file';

/** Lines with their ends; the last may have none. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}

/** Applies a unified diff strictly: every line of context and every removed line must be where the hunk says. */
function apply(before: string, diff: string): string {
  const lines = linesOf(before);
  const out: string[] = [];
  let at = 0;
  const shown = diff === '' ? [] : diff.split('\n');
  shown.forEach((line, index) => {
    const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/.exec(line);
    const text = line.slice(1) + (shown[index + 1] === NO_NEWLINE ? '' : '\n');
    if (header !== null) while (at < Number(header[1]) - (header[2] === '0' ? 0 : 1)) out.push(lines[at++] ?? '');
    else if (line !== NO_NEWLINE) {
      if (!line.startsWith('+')) expect(lines[at++]).toBe(text);
      if (!line.startsWith('-')) out.push(text);
    }
  });
  return [...out, ...lines.slice(at)].join('');
}

test('a change in the middle has three lines of context on both sides', () => {
  const before = Array.from({ length: 20 }, (_, line) => `line ${line + 1}\n`).join('');
  expect(unifiedDiff(before, before.replace('line 10\n', 'new 10\nnew 11\n'))).toEqual({
    diff: '@@ -7,7 +7,8 @@\n line 7\n line 8\n line 9\n-line 10\n+new 10\n+new 11\n line 11\n line 12\n line 13',
    added: 2,
    removed: 1,
  });
});

test('a new file is all added, the same text is no difference', () => {
  expect(unifiedDiff('', 'a\nb\n')).toEqual({ diff: '@@ -0,0 +1,2 @@\n+a\n+b', added: 2, removed: 0 });
  expect(unifiedDiff('a', 'a')).toEqual({ diff: '', added: 0, removed: 0 });
});

test('a last line that gets its line end is a change', () => {
  expect(unifiedDiff('a\nb', 'a\nb\n').diff).toBe('@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b');
});

test('texts that differ everywhere are replaced as a whole, quickly', () => {
  const text = (seed: number): string => Array.from({ length: 5000 }, (_, line) => `${line * seed}\n`).join('');
  const { added, removed, diff } = unifiedDiff(text(3), text(-7));
  expect({ added, removed }).toEqual({ added: 4999, removed: 4999 });
  expect(diff.length).toBeLessThan(101_000);
});

test('a diff applied to the old text gives the new one', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n', ' x\n');
  const text = fc
    .tuple(fc.array(line, { maxLength: 40, size: 'max' }), fc.constantFrom('', 'end'))
    .map(([lines, end]) => lines.join('') + end);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { diff, added, removed } = unifiedDiff(before, after);
      expect(apply(before, diff)).toBe(after);
      expect(diff.split('\n').filter((one) => one.startsWith('+'))).toHaveLength(added);
      expect(diff.split('\n').filter((one) => one.startsWith('-'))).toHaveLength(removed);
    }),
    { numRuns: 500 },
  );
});
