import type { Entry } from '../../../core/protocol/entry.ts';
import type { Transcript } from '../../app/live-state.ts';
import { entryAt } from '../../app/live-state.ts';
import { isToolCall } from './tool-look.ts';

/** Everything of an entry that can be read on the page. */
function searchable(entry: Entry): string {
  const { meta, text } = entry;
  return isToolCall(meta) ? `${meta.title}\n${meta.arguments}\n${text}` : text;
}

/** Numbers of the entries that hold the words, whatever their case, in order. */
export function findEntries(transcript: Transcript | undefined, query: string): readonly number[] {
  const words = query.trim().toLocaleLowerCase();
  if (words === '' || transcript === undefined) return [];
  const found: number[] = [];
  for (let number = 0; number < transcript.count; number += 1) {
    const entry = entryAt(transcript, number);
    if (entry !== undefined && searchable(entry).toLocaleLowerCase().includes(words)) found.push(number);
  }
  return found;
}

/** Number of the first entry of the gap above what has arrived, or null when everything is there. */
export function gapAbove(first: number, size: number): { readonly from: number; readonly limit: number } | null {
  if (first === 0) return null;
  const from = Math.max(0, first - size);
  return { from, limit: first - from };
}

/** The match after `current` in a direction, around the ends; the last one to begin with, because people look at the end. */
export function nextMatch(found: readonly number[], current: number | null, step: 1 | -1): number | null {
  if (found.length === 0) return null;
  const place = current === null ? -1 : found.indexOf(current);
  if (place === -1) return found.at(-1) ?? null;
  return found[(place + step + found.length) % found.length] ?? null;
}

const NAME = 'transcript-find';
/** Matches that are marked at once; more are not in view. */
const MOST_MARKS = 500;

/** Marks every occurrence inside `content` without touching its elements. Answers how to take the marks away. */
export function markMatches(content: HTMLElement, query: string): () => void {
  const words = query.trim().toLocaleLowerCase();
  if (words === '' || !('highlights' in CSS)) return () => undefined;
  const mark = (): void => {
    const ranges: Range[] = [];
    const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null && ranges.length < MOST_MARKS; node = walker.nextNode()) {
      const text = node.nodeValue?.toLocaleLowerCase() ?? '';
      for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + words.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, Math.min(at + words.length, node.nodeValue?.length ?? 0));
        ranges.push(range);
      }
    }
    CSS.highlights.set(NAME, new Highlight(...ranges));
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
