import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { SilenceWatch } from './silence-watch.ts';

function watched(): {
  clock: ReturnType<typeof manualClock>;
  watch: SilenceWatch;
  silent: number[];
  asked: () => number;
  can: { ask: boolean };
} {
  const clock = manualClock();
  const silent: number[] = [];
  const can = { ask: true };
  let count = 0;
  const watch = new SilenceWatch({
    clock,
    pingMs: 15_000,
    limitMs: 570_000,
    ask: () => {
      count += 1;
      return can.ask;
    },
    onSilent: (seconds) => void silent.push(seconds),
  });
  return { clock, watch, silent, asked: () => count, can };
}

test('R7: a worker that answers nothing for idle and 120 s more is silent, once', () => {
  const { clock, silent, asked } = watched();
  clock.advance(570_000);
  expect(silent).toEqual([]);
  clock.advance(15_000);
  expect(silent).toEqual([570]);
  clock.advance(10_000_000);
  expect(silent).toEqual([570]);
  expect(asked()).toBe(38);
});

test('R7: anything that comes begins anew; nothing comes of a watch that is closed', () => {
  const { clock, watch, silent } = watched();
  clock.advance(500_000);
  watch.heard();
  clock.advance(500_000);
  expect(silent).toEqual([]);
  watch.close();
  clock.advance(1_000_000);
  expect(silent).toEqual([]);
});

test('R7: while the worker cannot hear us, or we do not listen, it is not silent', () => {
  const { clock, silent, can } = watched();
  can.ask = false;
  clock.advance(5_000_000);
  expect(silent).toEqual([]);
});

test('R7, B45: time in which we were frozen ourselves counts as one tick', () => {
  const { clock, silent } = watched();
  clock.advance(30_000);
  clock.freeze(3 * 3_600_000);
  clock.advance(60_000);
  expect(silent).toEqual([]);
});
