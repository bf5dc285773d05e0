import { describe, expect, it } from 'vitest';
import { ansiLines, PLAIN, withoutAnsi } from './ansi.ts';

const shown = (text: string): string =>
  ansiLines(text)
    .map((spans) => spans.map((span) => span.text).join(''))
    .join('\n');

describe('ansiLines (B30)', () => {
  it('keeps colours and weights, across lines', () => {
    expect(ansiLines('\u001B[1;31mred\nstill\u001B[0m plain')).toEqual([
      [{ text: 'red', style: { ...PLAIN, bold: true, color: 1 } }],
      [
        { text: 'still', style: { ...PLAIN, bold: true, color: 1 } },
        { text: ' plain', style: PLAIN },
      ],
    ]);
  });

  it.each([
    ['\u001B[92mx', { color: 10 }],
    ['\u001B[38;5;208mx', { color: 208 }],
    ['\u001B[38;2;1;2;3mx', { color: '#010203' }],
    ['\u001B[48;2;999;2;3mx', { background: '#ff0203' }],
    ['\u001B[4;3;2mx', { underline: true, italic: true, dim: true }],
    ['\u001B[7mx', { inverse: true }],
    ['\u001B[31;39mx', { color: null }],
    ['\u001B[mx', {}],
  ])('%j draws x so', (text, style) => {
    expect(ansiLines(text)).toEqual([[{ text: 'x', style: { ...PLAIN, ...style } }]]);
  });

  it('drops titles, clipboard, links, screens and NULs are written out', () => {
    expect(shown('a\u001B]0;pwn\u0007b\u001B]52;c;ZXZpbA==\u0007c\u001B[2J\u001B[?1049hd\0')).toBe('abcd⟨U+0000⟩');
    expect(shown('\u001B]8;;https://evil.example\u001B\\link\u001B]8;;\u001B\\')).toBe('link');
    expect(shown('\u001BPq#0;2;0;0;0\u001B\\x')).toBe('x');
  });

  it('a sequence that is not finished is dropped to the end of its line', () => {
    expect(shown('a\u001B]0;never ends\nb')).toBe('a\nb');
    expect(shown('a\u001B')).toBe('a');
  });

  it('shows what a progress bar left', () => {
    expect(shown('1%\r50%\r99%\ndone\r\n')).toBe('99%\ndone\n');
  });

  it('reads 200,000 updates of a progress bar in no time', () => {
    expect(shown(Array.from({ length: 200_000 }, (_, place) => `${place}`).join('\r'))).toBe('199999');
  });
});

describe('withoutAnsi', () => {
  it('leaves only the text', () => {
    expect(withoutAnsi('\u001B[31mred\u001B[0m \u001B]0;t\u0007x')).toBe('red x');
  });
});
