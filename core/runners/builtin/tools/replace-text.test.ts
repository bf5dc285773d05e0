import { expect, test } from 'vitest';
import { nearestLines } from './nearest-lines.ts';
import { replaceText } from './replace-text.ts';

function replaced(file: string | Buffer, from: string, to: string, all = false): string {
  const result = replaceText(Buffer.from(file), from, to, all);
  return result.type === 'replaced' ? result.bytes.toString('latin1') : result.type;
}

test('one exact match is replaced, everything else stays byte for byte', () => {
  const file = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0a, 0xff, 0xfe, 0x62, 0x0a, 0xe9]);
  expect(Buffer.from(replaced(file, 'b', 'cd'), 'latin1')).toEqual(
    Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0a, 0xff, 0xfe, 0x63, 0x64, 0x0a, 0xe9]),
  );
});

test('several matches are refused with their lines, or all replaced when asked', () => {
  expect(replaceText(Buffer.from('x\ny\nx\n'), 'x', 'z', false)).toEqual({ type: 'several', count: 2, lines: [1, 3] });
  expect(replaced('x\ny\nx\n', 'x', '$&', true)).toBe('$&\ny\n$&\n');
  expect(replaced('aaaa', 'aa', 'b', true)).toBe('bb');
});

test('in a file with CRLF both texts are taken with CRLF', () => {
  expect(replaced('a\r\nb\r\nc\r\n', 'a\nb', 'x\ny\nz')).toBe('x\r\ny\r\nz\r\nc\r\n');
  expect(replaced('a\r\nb\r\nc\r\n', 'b', 'x\ny')).toBe('a\r\nx\r\ny\r\nc\r\n');
  expect(replaced('a\r\nb\r\nc\r\n', 'a\r\nb', 'x\r\ny')).toBe('x\r\ny\r\nc\r\n');
});

test('in a file with mixed line ends the form that matches is used', () => {
  expect(replaced('a\nb\nc\nd\r\ne\r\nf\n', 'd\ne', 'x\ny')).toBe('a\nb\nc\nx\r\ny\r\nf\n');
  expect(replaced('a\nb\r\nc\r\nd\r\n', 'a\nb', 'x\ny')).toBe('x\ny\r\nc\r\nd\r\n');
});

test('a text that does not occur is told apart', () => {
  expect(replaced('abc', 'abd', 'x')).toBe('none');
});

test('a miss that differs in white space only shows the text as it is', () => {
  expect(nearestLines('function a() {\n\treturn 1;\n}\n', 'function a() {\n  return 1;\n}')).toBe(
    'The text at line 1 differs in white space only. It is:\n1: function a() {\n2: \treturn 1;\n3: }',
  );
});

test('a miss shows the closest lines with their numbers', () => {
  const file = Array.from({ length: 50 }, (_, line) => `const value${line} = compute(${line});`).join('\n');
  expect(nearestLines(file, 'const value30 = compte(30)')).toContain('31: const value30 = compute(30);');
  expect(nearestLines(file, '完全に違う')).toBe('No similar line was found; read the file again.');
});
