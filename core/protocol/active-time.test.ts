import { expect, test } from 'vitest';
import { activeSeconds } from './active-time.ts';

test('R7: active time grows only while the run is active', () => {
  expect(activeSeconds({ active_seconds: 60, active_since: null }, 99_000)).toBe(60);
  expect(activeSeconds({ active_seconds: 60, active_since: 90_000 }, 99_000)).toBe(69);
  expect(activeSeconds({ active_seconds: 60, active_since: 90_000 }, 80_000)).toBe(60);
});
