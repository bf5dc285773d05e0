import type { CancelTimer, Clock } from '../../kit/clock.ts';
import { keepAlive } from './keep-alive.ts';

/** What became of one try: finished, whatever the outcome, or to be tried again because a lock is held elsewhere. */
export type Attempt = 'done' | 'busy';

/** Jobs of one writer in strict order; the first one is tried again until it is done (D1, D6: wait, lose nothing). */
export interface Lane {
  /** Tries the job at once if the lane is free, else when its turn comes. `retry` counts the tries before this one. */
  push(attempt: (retry: number) => Attempt): void;
  /** Tries the waiting job now instead of after its pause. */
  kick(): void;
  /** Resolves when nothing is queued. */
  whenIdle(): Promise<void>;
  readonly pending: number;
}

// Short first, because most locks are; the longest pause keeps recovery prompt and an idle loop idle.
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 250;

// A long queue (after a lock is gone) gives other work its turn at least this often.
const LONGEST_STRETCH_MS = 8;

/** A lane whose pauses are timed by `clock`; `onStall` is told at each failed try for how many ms the first job has waited. */
export function createLane(clock: Clock, onStall: (waitedMs: number) => void): Lane {
  const queue: ((retry: number) => Attempt)[] = [];
  let idle: (() => void)[] = [];
  let pumping = false;
  let resting = false;
  let retry = 0;
  let stalledAt = 0;
  let cancelPause: CancelTimer | null = null;

  const pause = (): void => {
    if (retry === 0) stalledAt = clock.monotonic();
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(retry, 10));
    retry += 1;
    onStall(clock.monotonic() - stalledAt);
    const letGo = keepAlive();
    const cancelTimer = clock.after(ms, () => {
      resume();
      pump();
    });
    cancelPause = () => {
      cancelTimer();
      letGo();
      cancelPause = null;
    };
  };
  const resume = (): void => cancelPause?.();

  const rest = (): void => {
    resting = true;
    setImmediate(() => {
      resting = false;
      pump();
    });
  };

  const pump = (): void => {
    if (pumping || resting || cancelPause !== null) return;
    pumping = true;
    const startedAt = clock.monotonic();
    let stop = false;
    for (let next = queue[0]; next !== undefined && !stop; next = queue[0]) {
      if (next(retry) === 'busy') {
        pause();
        stop = true;
      } else {
        retry = 0;
        queue.shift();
        stop = queue.length > 0 && clock.monotonic() - startedAt >= LONGEST_STRETCH_MS;
        if (stop) rest();
      }
    }
    pumping = false;
    if (queue.length > 0) return;
    const waiting = idle;
    idle = [];
    for (const done of waiting) done();
  };

  return {
    push(attempt) {
      queue.push(attempt);
      pump();
    },
    kick() {
      resume();
      pump();
    },
    whenIdle: () => (queue.length === 0 ? Promise.resolve() : new Promise((done) => idle.push(done))),
    get pending() {
      return queue.length;
    },
  };
}
