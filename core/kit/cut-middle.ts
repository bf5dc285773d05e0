/** A text that was shortened in its middle. */
export interface CutText {
  readonly text: string;
  /** Characters of the original that are missing; 0 if it is whole. */
  readonly cut: number;
}

/** Words for the gap; gets the number of missing characters. */
export type GapNote = (cut: number) => string;

const HEAD_SHARE = 0.75;

const defaultNote: GapNote = (cut) => `[… ${cut.toLocaleString('en-US')} characters cut …]`;

/**
 * Keeps at most `limit` characters (UTF-16 units) of `text`, note included: the first 75 % and the last 25 %, cut at line ends
 * where one is near, never inside a surrogate pair (P5, and the bound of every tool result).
 */
export function cutMiddle(text: string, limit: number, note: GapNote = defaultNote): CutText {
  return joinCut(text, '', text.length, limit, note);
}

/**
 * The same for a text of which only the first (`head`) and the last characters (`tail`) were kept while it streamed by. `head` must hold the
 * first `limit` characters, `tail` what followed them: all of it, or at least its last `limit / 4`; `total` is the length of the whole.
 */
export function joinCut(
  head: string,
  tail: string,
  total: number,
  limit: number,
  note: GapNote = defaultNote,
): CutText {
  if (total <= limit) return { text: head + tail, cut: 0 };
  const room = Math.max(0, limit - note(total).length - 2);
  const headRoom = Math.floor(room * HEAD_SHARE);
  const start = endAtLine(head.slice(0, headRoom));
  const end = startAtLine((head.slice(headRoom) + tail).slice(-Math.max(1, room - headRoom)));
  const cut = total - start.length - end.length;
  const before = start === '' || start.endsWith('\n') ? '' : '\n';
  return { text: `${start}${before}${note(cut)}\n${end}`, cut };
}

/** Drops a last partial line, unless that would cost more than half of the text (one very long line). */
function endAtLine(text: string): string {
  const lineEnd = text.lastIndexOf('\n') + 1;
  if (lineEnd > text.length / 2) return text.slice(0, lineEnd);
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

function startAtLine(text: string): string {
  const lineStart = text.indexOf('\n') + 1;
  if (lineStart > 0 && lineStart < text.length / 2) return text.slice(lineStart);
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
