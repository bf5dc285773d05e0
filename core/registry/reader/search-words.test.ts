import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, searchWords } from './search-words.ts';
import { snippetOf } from './snippet.ts';

describe('words of a search', () => {
  test.each([
    ['lock file', '"lock" "file" *', ['lock', 'file']],
    ['lock file ', '"lock" "file"', ['lock', 'file']],
    ['"lock file"', '"lock file"', ['lock file']],
    ['"lock fi', '"lock fi"', ['lock fi']],
    ['a OR b*', '"a" "OR" "b*" *', ['a', 'or', 'b*']],
    ['src/a.ts', '"src/a.ts" *', ['src/a.ts']],
    ['Gräve', '"Gräve" *', ['grave']],
  ])('%s → %s', (text, match, words) => {
    expect(searchWords(text)).toEqual({ match, words });
  });

  test.each(['', '  ', '""', '-> !', '"'])('%j has no word in it', (text) => {
    expect(searchWords(text)).toBeNull();
  });
});

describe('snippets', () => {
  test('a long text gives the line around the first word, with all words marked', () => {
    const text = `${'before '.repeat(50)}\nthe Lock is held by a\tLÖCK file ${'after '.repeat(100)}`;
    const { text: shown, marks, found } = snippetOf(text, ['lock', 'file']);
    expect(shown).toMatch(/^…before .* the Lock is held by a LÖCK file after .*…$/);
    expect(marks.map(([start, end]) => shown.slice(start, end))).toEqual(['Lock', 'LÖCK', 'file']);
    expect(found).toBe(text.indexOf('Lock'));
  });

  test('words that are in each other are one mark, and nothing found shows the beginning', () => {
    expect(snippetOf('lockfile', ['lock', 'lockfile']).marks).toEqual([[0, 8]]);
    expect(snippetOf('something else', ['lock'])).toEqual({ text: 'something else', marks: [], found: null });
  });

  test('marks are always within the snippet, and folded places in the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400, size: 'max' }),
        fc.string({ minLength: 1, maxLength: 3, size: 'max' }),
        (text, word) => {
          const folded = fold(word).text;
          const { text: shown, marks } = snippetOf(text, folded === '' ? [] : [folded]);
          for (const [start, end] of marks) {
            expect(start).toBeLessThan(end);
            expect(end).toBeLessThanOrEqual(shown.length);
          }
        },
      ),
    );
  });
});
