import type { CancelTimer, Clock } from '../../kit/clock.ts';

const TICK_MS = 1000;

/**
 * Calls `run` after `ms` of time in which we ran: a tick that comes late, after sleep or a SIGSTOP, counts as one tick. What is
 * waited for slept as well, and gets its whole time again.
 */
export function countdown(clock: Clock, ms: number, run: () => void): CancelTimer {
  let left = ms;
  let cancel: CancelTimer = () => undefined;
  const next = (): void => {
    const step = Math.min(left, TICK_MS);
    cancel = clock.after(step, () => {
      left -= step;
      if (left <= 0) run();
      else next();
    });
  };
  next();
  return () => cancel();
}
