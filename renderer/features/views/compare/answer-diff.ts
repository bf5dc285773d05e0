/** A stretch of one of two texts: whether the other has it too. */
export interface Stretch {
  readonly text: string;
  readonly same: boolean;
}

export interface AnswerDiff {
  readonly a: readonly Stretch[];
  readonly b: readonly Stretch[];
}

/** Cells of the table of common subsequences that a page may fill at once: some 30 ms. */
const MAX_CELLS = 4_000_000;

const words = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? [];
const lines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** What two lists have in common at their starts. */
function commonStart(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/** Lengths of the longest common subsequences of all ends of `a` and `b`, row by row. */
function tableOf(a: readonly string[], b: readonly string[]): Uint16Array {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      const below = table[at + width] ?? 0;
      const right = table[at + 1] ?? 0;
      table[at] = a[i] === b[j] ? (table[at + width + 1] ?? 0) + 1 : Math.max(below, right);
    }
  }
  return table;
}

/** Collects pieces, those of one kind together. */
class Side {
  readonly stretches: Stretch[] = [];

  add(text: string, same: boolean): void {
    const last = this.stretches.at(-1);
    if (last?.same === same) this.stretches[this.stretches.length - 1] = { text: last.text + text, same };
    else if (text !== '') this.stretches.push({ text, same });
  }
}

/** Whether the longest common rest is found by leaving out a piece of `a`. */
function leavesA(table: Uint16Array, width: number, i: number, j: number): boolean {
  return (table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0);
}

function diffOf(a: readonly string[], b: readonly string[]): AnswerDiff {
  const left = new Side();
  const right = new Side();
  const both = (piece: string): void => {
    left.add(piece, true);
    right.add(piece, true);
  };
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).toReversed(), b.slice(start).toReversed());
  const midA = a.slice(start, a.length - end);
  const midB = b.slice(start, b.length - end);
  const table = tableOf(midA, midB);
  const width = midB.length + 1;
  for (const piece of a.slice(0, start)) both(piece);
  let i = 0;
  let j = 0;
  while (i < midA.length || j < midB.length) {
    const one = midA[i];
    const two = midB[j];
    if (one !== undefined && one === two) {
      both(one);
      i += 1;
      j += 1;
    } else if (two === undefined || (one !== undefined && leavesA(table, width, i, j))) {
      left.add(one ?? '', false);
      i += 1;
    } else {
      right.add(two, false);
      j += 1;
    }
  }
  for (const piece of a.slice(a.length - end)) both(piece);
  return { a: left.stretches, b: right.stretches };
}

/** Compares two answers word by word, long ones line by line; null if they are too long for that as well. */
export function diffAnswers(a: string, b: string): AnswerDiff | null {
  for (const split of [words, lines]) {
    const [one, two] = [split(a), split(b)];
    const common = commonStart(one, two);
    if ((one.length - common) * (two.length - common) <= MAX_CELLS) return diffOf(one, two);
  }
  return null;
}
