const NAME = 'transcript-here';
/** Frames in which the rows above may still take their height, and with it the place of the words. */
const FRAMES = 90;
/** Frames after which a row that is not on the page yet is asked for again: the list has its own mind while it is new. */
const ASK_EACH = 6;

/** Ranges of the words in an element, whatever their case. */
function rangesOf(element: HTMLElement, words: string): readonly { readonly range: Range; readonly line: string }[] {
  const found: { range: Range; line: string }[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue ?? '';
    const folded = text.toLocaleLowerCase();
    for (let at = folded.indexOf(words); at !== -1; at = folded.indexOf(words, at + words.length)) {
      const range = document.createRange();
      range.setStart(node, Math.min(at, text.length));
      range.setEnd(node, Math.min(at + words.length, text.length));
      const end = text.indexOf('\n', at);
      found.push({ range, line: text.slice(text.lastIndexOf('\n', at) + 1, end === -1 ? text.length : end) });
    }
  }
  return found;
}

/** Of the places of the words in a row, the one that stands on this line of the entry; else the first. */
function placeOfWords(row: HTMLElement, words: string, line: string | null): Range | null {
  const found = rangesOf(row, words);
  const there = line === null ? undefined : found.find((one) => line.includes(one.line.trim()));
  return (there ?? found[0])?.range ?? null;
}

/** Brings a range into the middle of what scrolls; answers whether it was there already. */
function centre(scroller: HTMLElement, range: Range): boolean {
  // It may stand in a box that scrolls by itself.
  range.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
  const view = scroller.getBoundingClientRect();
  const place = range.getBoundingClientRect();
  const away = place.top + place.height / 2 - (view.top + view.height / 2);
  const before = scroller.scrollTop;
  scroller.scrollTop = before + away;
  return Math.abs(scroller.scrollTop - before) < 2;
}

/**
 * Brings the words in the found row into view and marks them, as soon as the row is on the page; again while heights around it settle.
 * `bring` scrolls to the row. Answers how to stop, which takes the mark away.
 */
export function showWords(scroller: HTMLElement, words: string, line: string | null, bring: () => void): () => void {
  const folded = words.trim().toLocaleLowerCase();
  let left = FRAMES;
  let calm = 0;
  let frame = 0;
  const step = (): void => {
    left -= 1;
    const row = scroller.querySelector<HTMLElement>('[data-found="true"]');
    if (row === null && left % ASK_EACH === 0) bring();
    const range = row === null ? null : placeOfWords(row, folded, line);
    if (range !== null) {
      if ('highlights' in CSS) CSS.highlights.set(NAME, new Highlight(range));
      calm = centre(scroller, range) ? calm + 1 : 0;
    }
    if (left > 0 && calm < 4) frame = requestAnimationFrame(step);
  };
  if (folded !== '') frame = requestAnimationFrame(step);
  return () => {
    cancelAnimationFrame(frame);
    if ('highlights' in CSS) CSS.highlights.delete(NAME);
  };
}
