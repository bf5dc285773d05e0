const NAME = 'transcript-find';
/** Matches that are marked at once; more are not in view. */
const MOST_MARKS = 500;

/** Where the words stand inside `content`, whatever their case; at most {@link MOST_MARKS}. */
export function matchRanges(content: HTMLElement, query: string): readonly Range[] {
  const words = query.trim().toLocaleLowerCase();
  const ranges: Range[] = [];
  if (words === '') return ranges;
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MOST_MARKS; node = walker.nextNode()) {
    const text = node.nodeValue?.toLocaleLowerCase() ?? '';
    for (let at = text.indexOf(words); at !== -1 && ranges.length < MOST_MARKS; at = text.indexOf(words, at + 1)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + words.length, node.nodeValue?.length ?? 0));
      ranges.push(range);
    }
  }
  return ranges;
}

/** Marks every occurrence inside `content` without touching its elements. Answers how to take the marks away. */
export function markMatches(content: HTMLElement, query: string): () => void {
  if (query.trim() === '' || !('highlights' in CSS)) return () => undefined;
  const mark = (): void => {
    CSS.highlights.set(NAME, new Highlight(...matchRanges(content, query)));
  };
  let frame = requestAnimationFrame(mark);
  const changes = new MutationObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(mark);
  });
  changes.observe(content, { childList: true, subtree: true, characterData: true });
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
    CSS.highlights.delete(NAME);
  };
}
