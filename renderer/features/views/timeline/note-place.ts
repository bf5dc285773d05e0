import { END_PX } from './use-zoom.ts';

/** Between a bar and the note beside it, and between a note and the end of the axis. */
const GAP = 7;
/** Narrower than this a note says too little: then another place is looked for. */
const ENOUGH = 140;
/** Width of a note for which there is room nowhere but on its own bars. */
const OVER = 240;

/** Where a note stands in its row, in pixels of the axis. */
export interface NotePlace {
  /** Right of the bars, left of them, or on their end. */
  readonly side: 'after' | 'before' | 'over';
  readonly left: number;
  readonly width: number;
}

/** The place of a note beside bars that go from `from` to `to` on an axis of this width: after them, unless there is no room. */
export function notePlace(from: number, to: number, axis: number): NotePlace {
  const end = axis + END_PX - GAP;
  const after = { side: 'after', left: to + GAP, width: end - to - GAP } as const;
  if (after.width >= ENOUGH) return after;
  const before = from - 2 * GAP;
  if (before >= ENOUGH) return { side: 'before', left: GAP, width: before };
  const width = Math.min(OVER, end);
  return { side: 'over', left: end - width, width };
}
