import { create } from 'zustand';

export const SPEEDS = [1, 8, 60] as const;
export type Speed = (typeof SPEEDS)[number];

interface TimelineState {
  /** Null fits all of it; a number stays while time goes on. */
  readonly pxPerMs: number | null;
  /** The moment that is shown, epoch ms; null is now. */
  readonly at: number | null;
  readonly playing: boolean;
  readonly speed: Speed;
}

const FIRST: TimelineState = { pxPerMs: null, at: null, playing: false, speed: 8 };

/** How the timeline that is open is looked at. */
export const useTimelineState = create<TimelineState>(() => FIRST);

/** Another conversation is begun with at its end, all of it in view. */
export function resetTimeline(): void {
  useTimelineState.setState(FIRST);
}

/** Shows a moment, and plays no further. */
export function showMoment(at: number | null): void {
  useTimelineState.setState({ at, playing: false });
}
