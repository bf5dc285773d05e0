import type { Entry } from '../../../core/protocol/entry.ts';
import { entryAt, type Transcript } from '../../app/live-state.ts';

/** Entries from `first` to `last` that have arrived. */
export function entriesBetween(transcript: Transcript | undefined, first: number, last: number): readonly Entry[] {
  const found: Entry[] = [];
  for (let number = first; number <= last; number += 1) {
    const entry = entryAt(transcript, number);
    if (entry !== undefined) found.push(entry);
  }
  return found;
}

/** The output of a command between two entries, stdout and stderr in the order in which they came. */
export function outputOf(transcript: Transcript | undefined, first: number, last: number): string {
  return entriesBetween(transcript, first, last)
    .map((entry) => entry.text)
    .join('');
}

/** What of the entries has not been written yet, and how much of each has been after that. */
export function unwritten(
  entries: readonly Entry[],
  written: ReadonlyMap<number, number>,
): { readonly text: string; readonly written: ReadonlyMap<number, number>; readonly rewritten: boolean } {
  const next = new Map<number, number>();
  const begun = written.size === 0 ? 0 : Math.min(...written.keys());
  let text = '';
  let rewritten = false;
  for (const entry of entries) {
    const done = written.get(entry.entry) ?? 0;
    // An entry whose text was replaced by a shorter one, or that came before what is on screen: begin again.
    if (entry.text.length < done || entry.entry < begun) rewritten = true;
    text += entry.text.slice(done);
    next.set(entry.entry, entry.text.length);
  }
  return { text, written: next, rewritten };
}
