import { create } from 'zustand';
import type { RunRow, SetRow } from '../../core/protocol/rows.ts';
import { useLive } from './live.ts';
import type { LiveState } from './live-state.ts';

export const SPEEDS = [1, 8, 60] as const;
export type Speed = (typeof SPEEDS)[number];

interface Replay {
  /** The bar is shown, in the views that show it only when asked. */
  readonly open: boolean;
  /** The moment that is shown, epoch ms; null is now. */
  readonly at: number | null;
  readonly playing: boolean;
  readonly speed: Speed;
  /** The rows as they were at that moment; null while it is now. */
  readonly past: LiveState | null;
}

const FIRST: Replay = { open: false, at: null, playing: false, speed: 8, past: null };

/** What the views of the open conversation show: now, or a moment of before. One moment for all of them. */
export const useReplay = create<Replay>(() => FIRST);

/** Another conversation is begun with at its end. */
export function resetReplay(): void {
  useReplay.setState(FIRST);
}

/** Shows a moment, and plays no further. */
export function showMoment(at: number | null): void {
  useReplay.setState(at === null ? { at, playing: false, past: null } : { at, playing: false });
}

/** Shows or puts away the bar of the replay; put away, everything is as it is now. */
export function toggleReplay(): void {
  const { open, at } = useReplay.getState();
  // A moment that was chosen in the timeline shows the bar too.
  useReplay.setState(open || at !== null ? FIRST : { open: true });
}

/** A slice of the rows that the views show: of now, or of the moment that is replayed. */
export function useShown<T>(select: (rows: LiveState) => T): T {
  const past = useReplay((state) => state.past);
  return useLive((state) => select(past ?? state));
}

export const useShownRun = (id: string): RunRow | undefined => useShown((state) => state.runs.get(id));
export const useShownSet = (id: string | null): SetRow | undefined =>
  useShown((state) => (id === null ? undefined : state.sets.get(id)));
