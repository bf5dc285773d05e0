import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutMiddle, joinCut } from './cut-middle.ts';

test('a text within its limit is untouched', () => {
  expect(cutMiddle('abc', 3)).toEqual({ text: 'abc', cut: 0 });
});

test('P5: head and tail are kept at line ends, and the note says how much is missing', () => {
  const lines = Array.from({ length: 10_000 }, (_, line) => `line ${line}`);
  const { text, cut } = cutMiddle(lines.join('\n'), 1000, (missing) => `[${missing} characters cut]`);
  const [head, tail] = text.split(/\[\d+ characters cut\]\n/);
  expect(text.length).toBeLessThanOrEqual(1000);
  expect(head?.startsWith('line 0\nline 1\n')).toBe(true);
  expect(tail?.endsWith('line 9998\nline 9999')).toBe(true);
  for (const line of text.split('\n')) expect(line).toMatch(/^(line \d+|\[\d+ characters cut\])$/);
  expect(cut).toBe(lines.join('\n').length - (head?.length ?? 0) - (tail?.length ?? 0));
  expect((head?.length ?? 0) / (tail?.length ?? 1)).toBeGreaterThan(2.5);
});

test('one very long line is cut inside, but never inside a character', () => {
  const { text } = cutMiddle('😀'.repeat(5000), 999, () => '…');
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeGreaterThan(900);
});

test('a text that streamed by is cut like a text that was kept whole', () => {
  const line = fc.string({ maxLength: 12, size: 'max' }).map((text) => `${text}\n`);
  fc.assert(
    fc.property(fc.array(line, { maxLength: 80, size: 'max' }), fc.integer({ min: 60, max: 200 }), (lines, limit) => {
      const whole = lines.join('');
      const head = whole.slice(0, limit);
      const tail = whole.slice(limit).slice(-Math.ceil(limit / 4));
      const streamed = joinCut(head, tail, whole.length, limit, (cut) => `<${cut}>`);
      expect(streamed).toEqual(cutMiddle(whole, limit, (cut) => `<${cut}>`));
      expect(streamed.text.length).toBeLessThanOrEqual(limit);
    }),
  );
});
