import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inertText, plainText, TerminalText } from './terminal-text.ts';

function inPieces(text: string, size: number, mode: 'plain' | 'styled' = 'plain'): string {
  const stream = new TerminalText(mode);
  let out = '';
  for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
  return out + stream.end();
}

const HOSTILE =
  '\x1b]0;pwn\x07A\x1b]52;c;ZXZpbA==\x1b\\B\x1b[2J\x1b[?1049hC\x1b[38;2;1;2;3mX\x1b[0m\0D\x9b31mE\x1bP1$q\x1b\\F\x1b(BG';

test.each([1, 2, 3, 7, 1000])(
  'titles, clipboard writes, screen modes and colours leave no trace in plain text, cut every %i characters',
  (size) => {
    expect(inPieces(HOSTILE, size)).toBe('ABCXDEFG');
  },
);

test.each([1, 2, 3, 7, 1000])('styled text keeps colours only, cut every %i characters', (size) => {
  expect(inPieces(HOSTILE, size, 'styled')).toBe('ABC\x1b[38;2;1;2;3mX\x1b[0mDEFG');
});

test('a progress bar of carriage returns becomes its last state', () => {
  const bar = Array.from({ length: 200_000 }, (_, step) => `\r${step}`).join('');
  expect(inPieces(`start\n${bar}\ndone\r\n`, 65_536)).toBe('start\n199999\ndone\n');
});

test('CRLF cut between two chunks is one line end', () => {
  expect(inPieces('a\r\nb\r\n', 2)).toBe('a\nb\n');
  expect(inPieces('a\r\nb', 1)).toBe('a\nb');
});

test('several carriage returns before a newline end the line, cut between any two', () => {
  for (const size of [1, 2, 1000]) expect(inPieces('0%\r50%\r\r\nnext\r\r\n', size)).toBe('50%\nnext\n');
});

test('backspaces erase', () => {
  expect(plainText('ab\b\bcd\n|\b/\b-\n')).toBe('cd\n-\n');
});

test.each(['\x1bP\x9b\x1b', '\x1b_a\x9dB\x9c', '\x1b]0;\x9bt\x07'])(
  'B05: %j, a string with an introducer in it, is swallowed whole however it is cut',
  (text) => {
    for (const size of [1, 2, 3, 1000]) expect(inPieces(`a${text}\n`, size)).toBe(inPieces(`a${text}\n`, 1000));
    expect(inPieces(`a${text}\n`, 1)).toBe('a\n');
  },
);

test('text after an ESC that begins no sequence is not lost', () => {
  expect(plainText('abc\x1b\nlast line')).toBe('abc\nlast line');
  expect(inPieces('abc\x1b\nlast line', 3, 'styled')).toBe('abc\nlast line');
});

test('an endless operating system command is swallowed with bounded memory, and the next line is shown', () => {
  const stream = new TerminalText('plain');
  let out = stream.push('a\x1b]52;c;');
  for (let piece = 0; piece < 100; piece += 1) out += stream.push('QUJD'.repeat(4096));
  out += stream.push('\nnext\n');
  expect(out + stream.end()).toBe('a\nnext\n');
});

test('plain output never holds a control character, and does not depend on where the stream was cut', () => {
  const piece = fc.constantFrom(
    '\x1b',
    '[',
    ']',
    '0;t',
    '\x07',
    '\r',
    '\n',
    '\b',
    'm',
    '31',
    'é',
    '😀',
    'P',
    '\\',
    '\x9b',
    '?',
    '\0',
    ' ',
    '\t',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
      const text = pieces.join('');
      const whole = inPieces(text, 1_000_000);
      expect(inPieces(text, size)).toBe(whole);
      expect(whole).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    }),
  );
});

test('words of others: no control acts, a carriage return and a backspace hide nothing, nothing turns around', () => {
  expect(inertText('rm -rf ~ #\rls')).toBe('rm -rf ~ #\nls');
  expect(inertText('a\r\nb\tc\b\bd')).toBe('a\nb\tcd');
  expect(inertText('\x1b[2Jx\x9b31my\x1b]0;t\x07 \u202Ez\u2066')).toBe('xy z');
});
