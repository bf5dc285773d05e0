import { expect, test } from 'vitest';
import { maskStream } from './mask-stream.ts';

const all = (secrets: readonly string[], pieces: readonly string[]): string => {
  const mask = maskStream(secrets);
  return pieces.map((piece) => mask.push(piece)).join('') + mask.end();
};

test('case 51: a secret is masked wherever a text is cut', () => {
  const text = 'a=CANARY-1; b=CANARY-1CANARY-1 CANARY-';
  for (let size = 1; size <= text.length; size += 1) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
      text.slice(n * size, (n + 1) * size),
    );
    expect(all(['CANARY-1'], pieces)).toBe('a=[redacted]; b=[redacted][redacted] CANARY-');
  }
});

test('what cannot be the beginning of a secret is not held back, and without secrets nothing is', () => {
  const mask = maskStream(['CANARY']);
  expect(mask.push('Password: ')).toBe('Password: ');
  expect(mask.push('CAN')).toBe('');
  expect(mask.push('not')).toBe('CANnot');
  expect(maskStream([]).push('CAN')).toBe('CAN');
});

test('of two secrets of which one holds the other, the longer counts', () => {
  expect(all(['abc-def', 'abc-def-ghi'], ['x abc-def', '-ghi abc-def y'])).not.toContain('abc');
});
