import { z } from 'zod';

/** A rectangle of the desktop in device-independent pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const StoredState = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  maximized: z.boolean(),
});
/** Where a window is. */
export type WindowState = z.infer<typeof StoredState>;

const RememberedWindow = z.object({ place: StoredState, conversation_id: z.string().max(100).nullable() });
/** A window as it is opened again at the next start: at its place, with what it showed. */
export type RememberedWindow = z.infer<typeof RememberedWindow>;

/** More windows than anybody has; a damaged file opens no hundred. */
const MOST_WINDOWS = 12;

/** Where the window opens; without `x` and `y` the system chooses. */
export interface WindowPlace {
  readonly x?: number;
  readonly y?: number;
  readonly width: number;
  readonly height: number;
  readonly maximized: boolean;
}

/** The smallest window that still shows sidebar, tree and inspector. */
export const MIN_SIZE = { width: 960, height: 600 } as const;

const FIRST_PLACE: WindowPlace = { width: 1440, height: 900, maximized: false };

/** So much of the title bar must be on a screen, or the window could not be dragged back. */
const REACHABLE = { width: 160, height: 40 } as const;

/** Reads the windows that were stored; none for anything that is not a list of them. */
export function parseWindows(text: string): readonly RememberedWindow[] {
  try {
    return z.array(RememberedWindow).max(MOST_WINDOWS).safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return []; // A damaged file costs remembered places, nothing else.
  }
}

/** How far a new window stands off the one that it was opened from, so that both are seen. */
const STEP = 28;

/** Where a window opens that was opened from another one. */
export function besideWindow({ x, y, width, height }: WindowState): WindowState {
  return { x: x + STEP, y: y + STEP, width, height, maximized: false };
}

/**
 * Where to open the window. A place that is on no screen any more (a monitor was taken away) is given up, a size larger than its
 * screen is cut to it.
 */
export function placeWindow(state: WindowState | null, screens: readonly Rectangle[]): WindowPlace {
  if (state === null) return fit(FIRST_PLACE, screens[0]);
  const screen = screens.find((area) => isReachable(state, area));
  if (screen === undefined)
    return fit({ width: state.width, height: state.height, maximized: state.maximized }, screens[0]);
  return fit(state, screen);
}

function fit(place: WindowPlace, screen: Rectangle | undefined): WindowPlace {
  if (screen === undefined) return place;
  return {
    ...place,
    width: Math.max(MIN_SIZE.width, Math.min(place.width, screen.width)),
    height: Math.max(MIN_SIZE.height, Math.min(place.height, screen.height)),
  };
}

function isReachable(state: WindowState, area: Rectangle): boolean {
  const width = Math.min(state.x + state.width, area.x + area.width) - Math.max(state.x, area.x);
  const above = state.y >= area.y && state.y + REACHABLE.height <= area.y + area.height;
  return above && width >= REACHABLE.width;
}
