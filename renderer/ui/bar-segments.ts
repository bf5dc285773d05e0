import { MARKS, type Mark } from '../shared/status.ts';

/** One stretch of an outcome bar, in pixels. */
export interface BarSegment {
  readonly mark: Mark;
  readonly count: number;
  readonly x: number;
  readonly width: number;
}

const GAP = 2;
/** A mark that one run of thousands carries must still be seen. */
const LEAST = 8;

/**
 * Shares a bar of `width` pixels out among the marks in the fixed order of the status set, each by its count, none
 * narrower than 8 px (as far as the width allows), with 2-px gaps.
 */
export function barSegments(counts: ReadonlyMap<Mark, number>, width: number): readonly BarSegment[] {
  const present = MARKS.map((mark) => ({ mark, count: counts.get(mark) ?? 0 })).filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  const room = width - GAP * (present.length - 1);
  if (total === 0 || room <= 0) return [];
  const least = Math.min(LEAST, room / present.length);
  const narrow = present.filter(({ count }) => (count / total) * room < least);
  const wideTotal = total - narrow.reduce((sum, { count }) => sum + count, 0);
  const wideRoom = room - narrow.length * least;
  let x = 0;
  return present.map(({ mark, count }) => {
    const share = (count / total) * room < least ? least : (count / wideTotal) * wideRoom;
    const segment = { mark, count, x, width: share };
    x += share + GAP;
    return segment;
  });
}
