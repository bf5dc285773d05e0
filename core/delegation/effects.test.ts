import { expect, test } from 'vitest';
import { EFFECT_AFTER_CRASH } from './effects.ts';

test('D3: after a crash every effect is done again but the start of an attempt, which must never happen twice', () => {
  const lost = Object.entries(EFFECT_AFTER_CRASH).filter(([, after]) => after === 'lost');
  expect(lost.map(([type]) => type)).toEqual(['start_attempt']);
});
