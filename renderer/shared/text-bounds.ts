/** A text cut for showing: whole lines, and how many were left out. */
export interface BoundedText {
  readonly text: string;
  readonly hiddenLines: number;
  readonly hiddenCharacters: number;
}

export interface Bounds {
  readonly lines: number;
  readonly characters: number;
}

/** Where the `count`th line from the end begins. */
function startOfTail(text: string, count: number): number {
  let at = text.length;
  for (let line = 0; line < count && at > 0; line += 1) at = text.lastIndexOf('\n', at - 1);
  return at <= 0 ? 0 : at + 1;
}

function endOfHead(text: string, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return text.length;
  }
  return at;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** The first lines of a text within the bounds; a longest line is cut too. Costs no more than the text it keeps, and one count. */
export function boundedHead(text: string, bounds: Bounds): BoundedText {
  const end = Math.min(endOfHead(text, bounds.lines), bounds.characters);
  if (end >= text.length) return { text, hiddenLines: 0, hiddenCharacters: 0 };
  return {
    text: text.slice(0, end),
    hiddenLines: countLines(text, end, text.length),
    hiddenCharacters: text.length - end,
  };
}

/** The last lines of a text within the bounds. */
export function boundedTail(text: string, bounds: Bounds): BoundedText {
  const start = Math.max(startOfTail(text, bounds.lines), text.length - bounds.characters);
  if (start <= 0) return { text, hiddenLines: 0, hiddenCharacters: 0 };
  return { text: text.slice(start), hiddenLines: countLines(text, 0, start), hiddenCharacters: start };
}
