import { describe, expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

describe('visibleText (B31)', () => {
  it.each([
    ['a bidirectional override', 'admin\u202Egnp.exe', 'admin⟨U+202E⟩gnp.exe'],
    ['isolates', '\u2066a\u2069', '⟨U+2066⟩a⟨U+2069⟩'],
    ['a zero-width space', 'pay\u200Bpal', 'pay⟨U+200B⟩pal'],
    ['a byte order mark', '\uFEFFx', '⟨U+FEFF⟩x'],
    ['an escape', '\u001B[31mred', '⟨U+001B⟩[31mred'],
    ['a NUL', 'a\0b', 'a⟨U+0000⟩b'],
    ['tag characters', 'a\u{E0041}', 'a⟨U+E0041⟩'],
    ['a Hangul filler', 'a\u3164b', 'a⟨U+3164⟩b'],
    ['a joiner between Latin letters', 'pay\u200Dpal', 'pay⟨U+200D⟩pal'],
  ])('writes out %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each([
    ['tabs and line ends', 'a\tb\nc'],
    ['a family emoji, which is spelled with joiners', '👩‍👩‍👧'],
    ['a flag with a variation selector', '🏳️‍🌈'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Hindi with a joiner', 'क्‍ष'],
    ['Arabic and Hebrew', 'שלום مرحبا'],
  ])('leaves %s as it is', (_what, text) => {
    expect(visibleText(text)).toBe(text);
  });

  it('makes one line end of a carriage return and a line feed', () => {
    expect(visibleText('a\r\nb')).toBe('a\nb');
    expect(visibleText('a\rb')).toBe('a⟨U+000D⟩b');
  });
});
