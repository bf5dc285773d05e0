import { expect, test } from 'vitest';
import { Limits, Retention } from '../../../core/protocol/settings.ts';
import { faultWords } from './fault-words.ts';

test('what is wrong with a number is said in a sentence of our own, of every limit', () => {
  for (const schema of [...Object.values(Limits.shape), ...Object.values(Retention.shape)]) {
    for (const value of [-1, 1e300, 0.5, 'x']) {
      const { error } = schema.safeParse(value);
      if (error !== undefined)
        expect(faultWords(error)).toMatch(/^(At least|At most|More than|Less than|A (whole )?number)/);
    }
  }
});

test.each([
  [0, 'At least 1.'],
  [0.5, 'A whole number.'],
])('a number of places of %s → %s', (value, said) => {
  const { error } = Limits.shape.concurrency.safeParse(value);
  expect(error === undefined ? '' : faultWords(error)).toBe(said);
});
