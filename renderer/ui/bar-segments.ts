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

interface Count {
  readonly mark: Mark;
  readonly count: number;
}

/** Pixels a run, once those marks that would fall below `least` have got it; taking some makes others fall below. */
function pixelsPerRun(counts: readonly Count[], room: number, least: number): number {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const scale = room / total;
  const wide = counts.filter(({ count }) => count * scale >= least);
  if (wide.length === counts.length || wide.length === 0) return scale;
  return pixelsPerRun(wide, room - (counts.length - wide.length) * least, least);
}

/**
 * Shares a bar of `width` pixels out among the marks in the fixed order of the status set, each by its count, none
 * narrower than 8 px (as far as the width allows), with 2-px gaps.
 */
export function barSegments(counts: ReadonlyMap<Mark, number>, width: number): readonly BarSegment[] {
  const present = MARKS.map((mark) => ({ mark, count: counts.get(mark) ?? 0 })).filter(({ count }) => count > 0);
  const room = width - GAP * (present.length - 1);
  if (present.length === 0 || room <= 0) return [];
  const least = Math.min(LEAST, room / present.length);
  const scale = pixelsPerRun(present, room, least);
  let x = 0;
  return present.map(({ mark, count }) => {
    const segment = { mark, count, x, width: Math.max(least, count * scale) };
    x += segment.width + GAP;
    return segment;
  });
}
