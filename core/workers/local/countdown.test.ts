import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { countdown } from './countdown.ts';

test('it ends after its time, once', () => {
  const clock = manualClock();
  let ended = 0;
  countdown(clock, 2500, () => (ended += 1));
  clock.advance(2499);
  expect(ended).toBe(0);
  clock.advance(1);
  expect(ended).toBe(1);
  clock.advance(10_000);
  expect(ended).toBe(1);
});

test('R7, B45: time in which the process was frozen is not counted', () => {
  const clock = manualClock();
  let ended = 0;
  countdown(clock, 30_000, () => (ended += 1));
  clock.advance(10_000);
  clock.freeze(3_600_000);
  clock.advance(18_999);
  expect(ended).toBe(0);
  clock.advance(1);
  expect(ended).toBe(1);
});

test('one that is cancelled never ends', () => {
  const clock = manualClock();
  let ended = 0;
  const cancel = countdown(clock, 3000, () => (ended += 1));
  clock.advance(1500);
  cancel();
  clock.advance(10_000);
  expect(ended).toBe(0);
});
