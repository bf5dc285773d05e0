import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { loopbackBundle } from '../stream/dialects.ts';
import { KeyHolds, keyIdOf } from './key-holds.ts';

const HOUR = 3_600_000;
const bundle = loopbackBundle('anthropic', 'http://127.0.0.1:1');

test.each([
  ['back by hours', -5 * HOUR],
  ['forward by three days', 72 * HOUR],
])('R8, B42: a wall clock that is set %s neither lengthens a hold nor cuts it short', (_, jump) => {
  const clock = manualClock();
  const told: number[] = [];
  const holds = new KeyHolds(clock, (_key, until) => told.push(until));
  holds.found(bundle, 7000);
  expect(told).toEqual([clock.now() + 7000]);
  clock.advance(2000);
  clock.set(jump);
  expect(holds.heldFor(bundle)).toBe(5000);
  expect(holds.open).toEqual([{ key_id: keyIdOf(bundle), until: clock.now() + 5000 }]);
  // What was asked for after the clock was set counts as well: of another process, by the same clock.
  expect(holds.hold(keyIdOf(bundle), clock.now() + 6000)).toBe(true);
  expect(holds.heldFor(bundle)).toBe(6000);
  clock.advance(6000);
  expect(holds.heldFor(bundle)).toBeNull();
  expect(holds.open).toEqual([]);
});

test('R8: a hold that is told with a time hours away, because clocks differ, is none of hours; one that is over is none', () => {
  const clock = manualClock();
  const holds = new KeyHolds(clock);
  expect(holds.hold(keyIdOf(bundle), clock.now() - 1)).toBe(false);
  expect(holds.heldFor(bundle)).toBeNull();
  expect(holds.hold(keyIdOf(bundle), clock.now() + 5 * HOUR)).toBe(true);
  expect(holds.heldFor(bundle)).toBe(16 * 60_000);
});
