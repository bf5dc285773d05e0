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
