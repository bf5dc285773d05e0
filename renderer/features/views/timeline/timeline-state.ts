import { create } from 'zustand';

interface TimelineState {
  /** Null fits all of it; a number stays while time goes on. */
  readonly pxPerMs: number | null;
}

/** How the timeline that is open is looked at. */
export const useTimelineState = create<TimelineState>(() => ({ pxPerMs: null }));

/** Another conversation is begun with all of it in view. */
export function resetTimeline(): void {
  useTimelineState.setState({ pxPerMs: null });
}
