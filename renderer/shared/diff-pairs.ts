import type { DiffLine } from './diff-lines.ts';

/** One row of a diff side by side: what stood there, and what stands there now; null where that side has nothing. */
export interface DiffPair {
  readonly before: DiffLine | null;
  readonly after: DiffLine | null;
}

/** A diff side by side: of a run of removed lines and the added ones after it, the first stands beside the first, and so on. */
export function diffPairs(lines: readonly DiffLine[]): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let place = 0; place < Math.max(removed.length, added.length); place += 1)
      pairs.push({ before: removed[place] ?? null, after: added[place] ?? null });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    switch (line.type) {
      case 'remove':
        if (added.length > 0) flush();
        removed.push(line);
        break;
      case 'add':
        added.push(line);
        break;
      case 'same':
      case 'gap':
      case 'note':
        flush();
        pairs.push({ before: line, after: line });
    }
  }
  flush();
  return pairs;
}
