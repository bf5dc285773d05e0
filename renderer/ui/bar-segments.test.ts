import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MARKS, type Mark } from '../shared/status.ts';
import { barSegments } from './bar-segments.ts';

test('the bar of the reference picture: nine runs in 244 px', () => {
  const counts = new Map<Mark, number>([
    ['completed', 3],
    ['caveat', 1],
    ['failed', 1],
    ['stopped', 1],
    ['running', 1],
    ['permission', 1],
    ['waiting', 1],
  ]);
  const [first, second] = barSegments(counts, 244);
  expect(first).toMatchObject({ mark: 'completed', x: 0 });
  expect(first?.width).toBeCloseTo(77.3, 1);
  expect(second?.x).toBeCloseTo(79.3, 1);
});

test('one failure among a thousand runs is still seen', () => {
  const counts = new Map<Mark, number>([
    ['completed', 999],
    ['failed', 1],
  ]);
  expect(barSegments(counts, 172).map(({ width }) => width)).toEqual([162, 8]);
});

test('the segments fill the bar with 2-px gaps, whatever the counts', () => {
  const counts = fc.dictionary(fc.constantFrom(...MARKS), fc.integer({ min: 1, max: 1000 }), { minKeys: 1 });
  fc.assert(
    fc.property(counts, fc.constantFrom(172, 244, 728), (record, width) => {
      const segments = barSegments(new Map(Object.entries(record) as [Mark, number][]), width);
      const last = segments.at(-1)!;
      expect(last.x + last.width).toBeCloseTo(width, 6);
      for (const { width: one } of segments) expect(one).toBeGreaterThan(7.99);
    }),
  );
});

test('a set without runs has an empty bar', () => {
  expect(barSegments(new Map(), 244)).toEqual([]);
});
