import { useSyncExternalStore } from 'react';

/** One timer for every elapsed time on the page, so that all of them change in the same frame. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    now = Date.now();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}

const idle = (): (() => void) => () => undefined;
const read = (): number => now;

/** The time in epoch milliseconds, once a second; with `running: false` it stands still and costs nothing. */
export function useNow(running = true): number {
  return useSyncExternalStore(running ? subscribe : idle, read, read);
}
