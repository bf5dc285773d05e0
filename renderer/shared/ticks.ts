import { useSyncExternalStore } from 'react';

/** One timer for every elapsed time on the page, so that all of them change in the same frame. */
const listeners = new Set<() => void>();
let now = Date.now();
/** The time up to which the page knows how things stand: `now`, unless it is held. */
let known = now;
let held = false;
let timer: ReturnType<typeof setInterval> | null = null;

function read(): void {
  now = Date.now();
  if (!held) known = now;
}

function tick(): void {
  read();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) {
    read();
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
/** The time up to which the page knows how things stand, in epoch milliseconds. */
export const knownNow = (): number => known;
const readNow = (): number => now;

/** Stops what is counted while nobody says how it goes on, and lets it go on at the time of day. */
export function holdKnown(hold: boolean): void {
  if (held === hold) return;
  held = hold;
  tick();
}

/**
 * The time in epoch milliseconds, once a second, as far as the page knows how things stand; with `running: false` it
 * stands still and costs nothing.
 */
export function useNow(running = true): number {
  return useSyncExternalStore(running ? subscribe : idle, knownNow, knownNow);
}

/** The time of day in epoch milliseconds, once a second. */
export function useTimeOfDay(): number {
  return useSyncExternalStore(subscribe, readNow, readNow);
}
