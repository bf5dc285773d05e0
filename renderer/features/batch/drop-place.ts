/** Where a row lies in the list, in pixels. */
export interface RowSpan {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The place that the row at `from` gets when it is let go `by` pixels further down: past the middle of a row is past it. */
export function dropPlace(spans: readonly RowSpan[], from: number, by: number): number {
  const row = spans[from];
  if (row === undefined) return from;
  let to = from;
  if (by > 0) {
    const edge = row.end + by;
    while (to + 1 < spans.length && edge > middle(spans[to + 1])) to += 1;
  } else {
    const edge = row.start + by;
    while (to > 0 && edge < middle(spans[to - 1])) to -= 1;
  }
  return to;
}

const middle = (span: RowSpan | undefined): number => (span === undefined ? 0 : (span.start + span.end) / 2);

/** Where the line that shows the place is drawn, in pixels from the top; null when the row would stay. */
export function dropLine(spans: readonly RowSpan[], from: number, to: number): number | null {
  if (from === to) return null;
  const span = spans[to];
  return span === undefined ? null : to > from ? span.end : span.start;
}
