import type { Transcript } from '../../app/live-state.ts';
import { entryAt } from '../../app/live-state.ts';
import { plainLine } from '../../shared/plain-line.ts';
import { visibleText } from '../../shared/visible-text.ts';

/** Entries from the end among which the latest answer is looked for. */
const BACK = 200;
/** Characters of an answer that the root of the tree can show. */
const MOST = 1200;
/** Lines of an answer at the root while nothing else is in the tree. */
export const SAID_LINES = 8;

/** What a lead has said last, as plain lines; empty before its first word. */
export function latestAnswer(transcript: Transcript | undefined): string {
  if (transcript === undefined) return '';
  const last = transcript.count - 1;
  for (let at = last; at >= 0 && at > last - BACK; at -= 1) {
    const entry = entryAt(transcript, at);
    if (entry === undefined) return '';
    if (entry.meta.type !== 'text' || !/\S/.test(entry.text)) continue;
    return visibleText(
      entry.text
        .slice(0, MOST)
        .split('\n')
        .map(plainLine)
        .filter((line) => line !== '')
        .slice(0, SAID_LINES)
        .join('\n'),
    );
  }
  return '';
}
