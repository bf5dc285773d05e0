import { describe, expect, it } from 'vitest';
import { boundedHead, boundedTail } from './text-bounds.ts';

const TEXT = 'one\ntwo\nthree\nfour';

describe('bounded texts', () => {
  it('a text within the bounds is whole', () => {
    const whole = { text: TEXT, hiddenLines: 0, hiddenCharacters: 0 };
    expect(boundedHead(TEXT, { lines: 4, characters: 100 })).toEqual(whole);
    expect(boundedTail(TEXT, { lines: 4, characters: 100 })).toEqual(whole);
  });

  it('keeps the first lines, and counts the others', () => {
    expect(boundedHead(TEXT, { lines: 2, characters: 100 })).toEqual({
      text: 'one\ntwo',
      hiddenLines: 2,
      hiddenCharacters: 11,
    });
  });

  it('keeps the last lines, and counts the others', () => {
    expect(boundedTail(TEXT, { lines: 2, characters: 100 })).toEqual({
      text: 'three\nfour',
      hiddenLines: 2,
      hiddenCharacters: 8,
    });
  });

  it('cuts one line of 20 MB (B30)', () => {
    const line = 'x'.repeat(20_000_000);
    expect(boundedHead(line, { lines: 10, characters: 4000 })).toMatchObject({
      hiddenLines: 0,
      hiddenCharacters: 19_996_000,
    });
    expect(boundedTail(line, { lines: 10, characters: 4000 }).text).toHaveLength(4000);
  });
});
