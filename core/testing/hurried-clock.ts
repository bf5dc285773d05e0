import type { Clock } from '../kit/clock.ts';

/** A clock on which every wait is over at once, and has taken as long as was asked for. Only for what does not race against a timer. */
export function hurriedClock(start = 1_800_000_000_000): Clock & { readonly waits: readonly number[] } {
  let passed = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => start + passed,
    monotonic: () => passed,
    after(ms, run) {
      waits.push(ms);
      const timer = setImmediate(() => {
        passed += ms;
        run();
      });
      return () => clearImmediate(timer);
    },
    every: () => () => undefined,
  };
}
