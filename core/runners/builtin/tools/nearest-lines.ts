const AROUND = 2;
/** Lines compared; a larger file is only searched for exact lines. */
const COMPARED_LINES = 20_000;
const SHOWN_WIDTH = 200;

/**
 * Where a text that was not found might have been meant: the lines around the closest match, with their numbers, and what differs if only
 * white space does. A sentence for the model.
 */
export function nearestLines(file: string, wanted: string): string {
  const lines = file.split(/\r?\n/);
  const wantedLines = wanted.split(/\r?\n/);
  const block = sameButWhiteSpace(lines, wantedLines);
  if (block !== null) {
    return `The text at line ${block + 1} differs in white space only. It is:\n${shown(lines, block, block + wantedLines.length)}`;
  }
  const key = wantedLines.find((line) => line.trim() !== '')?.trim() ?? '';
  const nearest = key === '' ? null : nearestLine(lines.slice(0, COMPARED_LINES), key);
  if (nearest === null) return 'No similar line was found; read the file again.';
  const from = Math.max(0, nearest - AROUND);
  return `The closest lines are:\n${shown(lines, from, nearest + Math.min(wantedLines.length, 10) + AROUND)}`;
}

function sameButWhiteSpace(lines: readonly string[], wanted: readonly string[]): number | null {
  const bare = (line: string): string => line.replace(/\s+/g, '');
  const target = wanted.map(bare);
  if (target.every((line) => line === '')) return null;
  const haystack = lines.map(bare);
  for (let start = 0; start + target.length <= haystack.length; start += 1) {
    if (target.every((line, index) => haystack[start + index] === line)) return start;
  }
  return null;
}

function nearestLine(lines: readonly string[], key: string): number | null {
  const wanted = pairs(key);
  let best = { line: -1, score: 0.5 };
  lines.forEach((line, index) => {
    const text = line.trim();
    if (text.length > key.length * 3 || text.length * 3 < key.length) return;
    const score = likeness(wanted, pairs(text));
    if (score > best.score) best = { line: index, score };
  });
  return best.line < 0 ? null : best.line;
}

/** Pairs of neighbouring characters; their overlap is a cheap measure of likeness (Dice's coefficient). */
function pairs(text: string): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + 1 < Math.min(text.length, 400); at += 1) found.add(text.slice(at, at + 2));
  return found;
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of b) if (a.has(pair)) common += 1;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}

function shown(lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from, Math.min(to, from + 20))
    .map((line, index) => `${from + index + 1}: ${line.slice(0, SHOWN_WIDTH)}`)
    .join('\n');
}
