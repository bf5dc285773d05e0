import { expect, it } from 'vitest';
import { outputTail } from './output-tail.ts';

it.each([
  ['stdout after a success', 'out\n', 'warning\n', true, 'out'],
  ['stderr when stdout is silent', ' \n', 'only this\n', true, 'only this'],
  ['after a failure the errors come last (T2)', 'out\n', 'boom\n\n', false, 'out\nboom'],
  ['after a failure without errors stdout is the reason (T2)', 'line\nlast\n', '', false, 'line\nlast'],
  ['nothing at all', '', '', true, ''],
])('%s', (_name, stdout, stderr, succeeded, tail) => {
  expect(outputTail(stdout, stderr, succeeded)).toBe(tail);
});

it('keeps about 4,000 characters, from the beginning of a line', () => {
  const lines = Array.from({ length: 2000 }, (_, n) => `line ${n}`).join('\n');
  const tail = outputTail(lines, '', true);
  expect(tail.length).toBeLessThanOrEqual(4000);
  expect(tail.length).toBeGreaterThan(3900);
  expect(tail).toMatch(/^line \d+\n/);
  expect(tail.endsWith('line 1999')).toBe(true);
});

it('cuts one endless line without breaking a character', () => {
  const tail = outputTail('\u{1F600}'.repeat(4000), '', true);
  expect(tail.isWellFormed()).toBe(true);
});
