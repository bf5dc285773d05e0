export interface TextDiff {
  /** Unified diff without file header; empty if nothing changed. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

type Change = { readonly type: 'same' | 'add' | 'remove'; readonly line: string };

const CONTEXT = 3;
/** Edits up to which the smallest difference is looked for; above it the changed middle counts as replaced. */
const LARGEST_DISTANCE = 400;
/** Characters of a diff that are shown. */
const DIFF_LIMIT = 100_000;
const NO_NEWLINE = '\\ No newline at end of file';

/** The difference of two texts by lines, with three lines of context, bounded in time and size. */
export function unifiedDiff(before: string, after: string): TextDiff {
  const changes = compare(linesOf(before), linesOf(after));
  const added = changes.filter((change) => change.type === 'add').length;
  const removed = changes.filter((change) => change.type === 'remove').length;
  const diff = added + removed === 0 ? '' : hunks(changes).join('\n');
  return { diff: diff.length > DIFF_LIMIT ? `${diff.slice(0, DIFF_LIMIT)}\n… diff cut` : diff, added, removed };
}

/** Lines with the mark of a missing last newline, so that its appearance is a change. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push(`${lines.pop() ?? ''}\n${NO_NEWLINE}`);
  return lines;
}

function compare(before: readonly string[], after: readonly string[]): Change[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const same = (line: string): Change => ({ type: 'same', line });
  return [
    ...before.slice(0, start).map(same),
    ...(shortestEdit(removed, added) ?? replaced(removed, added)),
    ...before.slice(before.length - end).map(same),
  ];
}

function replaced(removed: readonly string[], added: readonly string[]): Change[] {
  return [
    ...removed.map((line): Change => ({ type: 'remove', line })),
    ...added.map((line): Change => ({ type: 'add', line })),
  ];
}

/** Myers' algorithm (An O(ND) Difference Algorithm, 1986); null if the texts differ too much. */
function shortestEdit(a: readonly string[], b: readonly string[]): Change[] | null {
  const rounds: Map<number, number>[] = [];
  const furthest = new Map<number, number>([[1, 0]]);
  for (let distance = 0; distance <= Math.min(a.length + b.length, LARGEST_DISTANCE); distance += 1) {
    rounds.push(new Map(furthest));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = stepDown(furthest, diagonal, distance)
        ? reach(furthest, diagonal + 1)
        : reach(furthest, diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkBack(rounds, a, b);
    }
  }
  return null;
}

function reach(furthest: ReadonlyMap<number, number>, diagonal: number): number {
  return furthest.get(diagonal) ?? -1;
}

function stepDown(furthest: ReadonlyMap<number, number>, diagonal: number, distance: number): boolean {
  return (
    diagonal === -distance || (diagonal !== distance && reach(furthest, diagonal - 1) < reach(furthest, diagonal + 1))
  );
}

function walkBack(rounds: readonly Map<number, number>[], a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = [];
  let x = a.length;
  let y = b.length;
  const backTo = (fromX: number, fromY: number): void => {
    for (; x > fromX && y > fromY; y -= 1) changes.push({ type: 'same', line: a[(x -= 1)] ?? '' });
  };
  for (let distance = rounds.length - 1; distance > 0; distance -= 1) {
    const furthest = rounds[distance] ?? new Map<number, number>();
    const down = stepDown(furthest, x - y, distance);
    const diagonal = down ? x - y + 1 : x - y - 1;
    backTo(reach(furthest, diagonal), reach(furthest, diagonal) - diagonal);
    if (down) changes.push({ type: 'add', line: b[(y -= 1)] ?? '' });
    else changes.push({ type: 'remove', line: a[(x -= 1)] ?? '' });
  }
  backTo(0, 0);
  return changes.reverse();
}

function hunks(changes: readonly Change[]): string[] {
  const out: string[] = [];
  let oldLine = 1;
  let newLine = 1;
  for (const range of hunkRanges(changes)) {
    oldLine += range.skipped;
    newLine += range.skipped;
    const hunk = changes.slice(range.from, range.to);
    const oldCount = hunk.filter((change) => change.type !== 'add').length;
    const newCount = hunk.filter((change) => change.type !== 'remove').length;
    out.push(`@@ -${span(oldLine, oldCount)} +${span(newLine, newCount)} @@`);
    for (const { type, line } of hunk) out.push(`${type === 'same' ? ' ' : type === 'add' ? '+' : '-'}${line}`);
    oldLine += oldCount;
    newLine += newCount;
  }
  return out;
}

function span(line: number, count: number): string {
  return count === 1 ? String(line) : `${count === 0 ? line - 1 : line},${count}`;
}

/** Changes grouped with their context; `skipped` unchanged lines lie between one group and the next. */
function hunkRanges(changes: readonly Change[]): { from: number; to: number; skipped: number }[] {
  const ranges: { from: number; to: number; skipped: number }[] = [];
  changes.forEach((change, index) => {
    if (change.type === 'same') return;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(changes.length, index + CONTEXT + 1);
    const last = ranges.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else ranges.push({ from, to, skipped: from - (last?.to ?? 0) });
  });
  return ranges;
}
