import { isBusy, type Life } from './lives.ts';

/** A stretch of time, epoch milliseconds. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Times in which something went on, joined where they touch. `now` ends what still goes on. */
export function busyTimes(lives: Iterable<Life>, now: number): readonly Interval[] {
  const all: Interval[] = [];
  for (const { stretches } of lives) {
    for (const stretch of stretches) if (isBusy(stretch)) all.push({ from: stretch.from, to: stretch.to ?? now });
  }
  all.sort((a, b) => a.from - b.from);
  const joined: Interval[] = [];
  for (const next of all) {
    const last = joined.at(-1);
    if (last === undefined || next.from > last.to) joined.push(next);
    else if (next.to > last.to) joined[joined.length - 1] = { from: last.from, to: next.to };
  }
  return joined;
}

/** Shorter gaps are no nuisance. */
const LEAST_GAP_MS = 60_000;
/** And a gap must be a good part of the picture before it is worth a seam. */
const LEAST_GAP_SHARE = 0.04;

/** Gaps between `from` and `to` in which nothing went on, long enough to be folded. */
export function idleGaps(busy: readonly Interval[], from: number, to: number): readonly Interval[] {
  const work = busy.reduce((sum, interval) => sum + interval.to - interval.from, 0);
  const least = Math.max(LEAST_GAP_MS, work * LEAST_GAP_SHARE);
  const edges = [from, ...busy.flatMap((interval) => [interval.from, interval.to]), to];
  const gaps: Interval[] = [];
  for (let at = 0; at + 1 < edges.length; at += 2) {
    const gap = { from: edges[at] ?? from, to: edges[at + 1] ?? to };
    if (gap.to - gap.from >= least) gaps.push(gap);
  }
  return gaps;
}

/** Width of a folded gap, in pixels, however far one zooms. */
export const GAP_PX = 28;

interface Piece extends Interval {
  readonly x: number;
  readonly width: number;
  /** Milliseconds outside gaps before it. */
  readonly work: number;
  readonly gap: boolean;
}

/** Where a time is on the axis: in proportion, but for folded gaps, which have one small width each. */
export class TimeScale {
  readonly from: number;
  readonly to: number;
  readonly gaps: readonly Interval[];
  readonly pxPerMs: number;
  readonly width: number;
  /** Milliseconds outside gaps. */
  readonly work: number;
  readonly #pieces: readonly Piece[];

  constructor(from: number, to: number, gaps: readonly Interval[], pxPerMs: number) {
    this.from = from;
    this.to = Math.max(to, from + 1);
    this.gaps = gaps;
    this.pxPerMs = pxPerMs;
    const pieces: Piece[] = [];
    let x = 0;
    let work = 0;
    const push = (start: number, end: number, gap: boolean): void => {
      const width = gap ? GAP_PX : (end - start) * pxPerMs;
      pieces.push({ from: start, to: end, x, width, work, gap });
      x += width;
      work += gap ? 0 : end - start;
    };
    let at = from;
    for (const gap of gaps) {
      if (gap.from > at) push(at, gap.from, false);
      push(gap.from, gap.to, true);
      at = gap.to;
    }
    if (at < this.to || pieces.length === 0) push(at, this.to, false);
    this.#pieces = pieces;
    this.width = x;
    this.work = Math.max(1, work);
  }

  #find(isBefore: (piece: Piece) => boolean): Piece {
    const found = this.#pieces.findLast(isBefore) ?? this.#pieces[0];
    return found ?? { from: this.from, to: this.to, x: 0, width: 0, work: 0, gap: false };
  }

  /** Pixels from the left of the axis; times outside it are at its ends. */
  x(time: number): number {
    const at = Math.min(this.to, Math.max(this.from, time));
    const piece = this.#find(({ from }) => from <= at);
    return piece.x + ((at - piece.from) / Math.max(1, piece.to - piece.from)) * piece.width;
  }

  /** The time at a pixel. */
  time(x: number): number {
    const at = Math.min(this.width, Math.max(0, x));
    const piece = this.#find((one) => one.x <= at);
    return piece.from + ((at - piece.x) / Math.max(0.001, piece.width)) * (piece.to - piece.from);
  }

  /** Milliseconds outside gaps up to a time. */
  workAt(time: number): number {
    const at = Math.min(this.to, Math.max(this.from, time));
    const piece = this.#find(({ from }) => from <= at);
    return piece.gap ? piece.work : piece.work + at - piece.from;
  }

  /** The time at which so many milliseconds outside gaps have passed; never inside a gap. */
  timeOfWork(work: number): number {
    const piece = this.#pieces.findLast((one) => !one.gap && one.work <= work);
    return piece === undefined ? this.from : Math.min(piece.to, piece.from + work - piece.work);
  }
}

/** Pixels a millisecond at which all of it fits into `width`. */
export function fittingScale(from: number, to: number, gaps: readonly Interval[], width: number): number {
  const folded = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  return Math.max(1, width - gaps.length * GAP_PX) / Math.max(1, to - from - folded);
}

/** Closer than a second in 400 pixels nothing more is to be seen. */
const MOST_PX_PER_MS = 0.4;
/** A conversation of seconds is that close when all of it is in view; it can be zoomed so far beyond all the same. */
const LEAST_RANGE = 4;

/** Pixels a millisecond after a step of the zoom; null when all of it is in view again. */
export function zoomed(pxPerMs: number, factor: number, fit: number): number | null {
  const next = Math.min(Math.max(MOST_PX_PER_MS, fit * LEAST_RANGE), pxPerMs * factor);
  return next <= fit * 1.001 ? null : next;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Steps that people count in. */
const STEPS = [1, 2, 5, 10, 15, 30]
  .map((n) => n * SECOND)
  .concat(
    [1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
    [1, 2, 3, 6, 12, 24, 48].map((n) => n * HOUR),
  );
const DAY = 24 * HOUR;
const LEAST_TICK_PX = 84;

export interface Tick {
  readonly at: number;
  readonly x: number;
  /** The label needs seconds to be different from the next. */
  readonly seconds: boolean;
}

/** Ticks between two pixels of the axis, at round local times, none inside a gap. */
export function ticksOf(scale: TimeScale, fromX: number, toX: number): readonly Tick[] {
  const step =
    STEPS.find((one) => one * scale.pxPerMs >= LEAST_TICK_PX) ?? Math.ceil(LEAST_TICK_PX / scale.pxPerMs / DAY) * DAY;
  const zone = new Date(scale.from).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((scale.time(fromX) - zone) / step) * step + zone;
  const last = scale.time(toX);
  const ticks: Tick[] = [];
  for (let at = first; at <= last && ticks.length < 200; at += step) {
    const gap = scale.gaps.find(({ from, to }) => at > from && at < to);
    if (gap === undefined) ticks.push({ at, x: scale.x(at), seconds: step < MINUTE });
    else at = Math.floor((gap.to - zone) / step) * step + zone;
  }
  return ticks;
}
