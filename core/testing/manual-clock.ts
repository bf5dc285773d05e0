import type { Clock } from '../kit/clock.ts';

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Moves time on, calling every timer when it is due. */
  advance(ms: number): void;
  /** Moves time on without calling a timer on the way: the process was frozen. What became due is called once, at the end. */
  freeze(ms: number): void;
  /** Somebody sets the wall clock, back when negative: no time has passed. */
  set(ms: number): void;
}

interface Timer {
  at: number;
  readonly every: number | null;
  readonly run: () => void;
}

/** See {@link ManualClock}. */
export function manualClock(start = 1_800_000_000_000): ManualClock {
  let now = 0;
  let wall = start;
  const timers = new Set<Timer>();
  const add = (timer: Timer): (() => void) => {
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const runDue = (until: number): void => {
    for (;;) {
      const [next] = [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) return;
      now = Math.max(now, next.at);
      if (next.every === null) timers.delete(next);
      else next.at = now + next.every;
      next.run();
    }
  };
  return {
    now: () => wall + now,
    monotonic: () => now,
    after: (ms, run) => add({ at: now + ms, every: null, run }),
    every: (ms, run) => add({ at: now + ms, every: ms, run }),
    advance(ms) {
      const until = now + ms;
      runDue(until);
      now = until;
    },
    freeze(ms) {
      now += ms;
      runDue(now);
    },
    set(ms) {
      wall += ms;
    },
  };
}
