/** Stops a timer that was started with {@link Clock.after} or {@link Clock.every}; calling it twice does nothing. */
export type CancelTimer = () => void;

/** Time, injected everywhere so that tests can script it. */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch; may jump. For what people see and for what is stored. */
  now(): number;
  /** Monotonic time in milliseconds; never jumps back. For durations. */
  monotonic(): number;
  /** Calls `run` once after `ms` milliseconds. */
  after(ms: number, run: () => void): CancelTimer;
  /** Calls `run` every `ms` milliseconds until cancelled. */
  every(ms: number, run: () => void): CancelTimer;
}

/** The machine's own clock. Its timers do not keep a process alive (`unref`). */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `performance.now()`: its first call loads the whole of `node:perf_hooks`, which every worker would pay for.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every(ms, run) {
    const timer = setInterval(run, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** Resolves after `ms` milliseconds, or rejects with the signal's reason as soon as it is aborted. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
