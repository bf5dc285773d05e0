/** A piece of a text: inside or outside of backticks. */
export interface Span {
  readonly text: string;
  readonly code: boolean;
}

/** The runs of backticks in `text`, and for each the next later run of the same length, as in CommonMark. */
function closingRuns(text: string): { begin: number; end: number; closedBy: number }[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({
    begin: index,
    end: index + run.length,
    closedBy: -1,
  }));
  const latest = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const run = runs[i];
    if (run === undefined) continue;
    run.closedBy = latest.get(run.end - run.begin) ?? -1;
    latest.set(run.end - run.begin, i);
  }
  return runs;
}

/** `text` in pieces: what stands in backticks, and what does not. A backtick that is never closed is plain text. */
export function codeSpans(text: string): Span[] {
  const runs = closingRuns(text);
  const spans: Span[] = [];
  let from = 0;
  for (let i = 0; i < runs.length; i++) {
    const opening = runs[i];
    const closing = runs[opening?.closedBy ?? -1];
    if (opening === undefined || closing === undefined) continue;
    spans.push({ text: text.slice(from, opening.begin), code: false });
    spans.push({ text: text.slice(opening.begin, closing.end), code: true });
    from = closing.end;
    i = opening.closedBy;
  }
  spans.push({ text: text.slice(from), code: false });
  return spans;
}
