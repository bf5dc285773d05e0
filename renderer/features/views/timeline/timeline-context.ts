import { createContext, useContext } from 'react';
import type { LiveState } from '../../../app/live-state.ts';
import type { Life } from './lives.ts';
import { TimeScale } from './time-scale.ts';

/** What every row of a timeline is drawn by. */
export interface Drawing {
  readonly scale: TimeScale;
  readonly lives: ReadonlyMap<string, Life>;
  readonly rows: LiveState | null;
  /** The last moment of the axis. */
  readonly to: number;
  /** The moment that is shown; null is the last. */
  readonly at: number | null;
}

const NOTHING: Drawing = { scale: new TimeScale(0, 1, [], 1), lives: new Map(), rows: null, to: 1, at: null };

export const TimelineDrawing = createContext<Drawing>(NOTHING);

export const useDrawing = (): Drawing => useContext(TimelineDrawing);
