/** Longer words are not compared: nobody mistypes them by a letter or two, and it keeps the work small. */
const LONGEST = 80;

/** The next row of the table of distances: `a` up to `i` against all beginnings of `b`. */
function nextRow(a: string, b: string, i: number, last: readonly number[], beforeLast: readonly number[]): number[] {
  const row = [i];
  const at = (line: readonly number[], column: number): number => line[column] ?? Infinity;
  for (let j = 1; j <= b.length; j++) {
    const change = a[i - 1] === b[j - 1] ? 0 : 1;
    const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const afterSwap = swapped ? at(beforeLast, j - 2) + 1 : Infinity;
    row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + change, afterSwap));
  }
  return row;
}

/** Damerau–Levenshtein distance in its optimal-alignment form: a swap of neighbours counts once. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) [beforeLast, last] = [last, nextRow(a, b, i, last, beforeLast)];
  return last[b.length] ?? 0;
}

/** The known word that was probably meant by `word`, or null. One mistake in three characters is forgiven. */
export function didYouMean(word: string, known: Iterable<string>): string | null {
  if (word.length > LONGEST) return null;
  const wanted = word.toLowerCase();
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const steps = distance(wanted, candidate.toLowerCase());
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}
