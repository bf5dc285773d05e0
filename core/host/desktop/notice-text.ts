import { cutGraphemes } from '../../delegation/lines/graphemes.ts';
import { oneLine } from '../../delegation/lines/one-line.ts';
import type { SetRow } from '../../protocol/rows.ts';

const MAX = 200;

/** Notification servers of Linux read a little HTML: what looks like it is written with characters that are none. */
const LOOKALIKES: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '&': '＆' };

/** Foreign text as one plain, bounded line without known secrets and without anything that is read as markup. */
export function noticeLine(text: string, redact: (text: string) => string): string {
  const plain = oneLine(redact(text)).replace(/[<>&]/g, (character) => LOOKALIKES[character] ?? character);
  return cutGraphemes(plain, MAX);
}

/** `7 completed, 1 with a caveat, 2 failed`. */
export function setCounts({ totals }: SetRow): string {
  const caveats = totals.truncated + totals.acceptance_failed;
  const parts: [count: number, words: string][] = [
    [totals.completed, 'completed'],
    [caveats, caveats === 1 ? 'caveat' : 'caveats'],
    [totals.failed, 'failed'],
    [totals.timed_out, 'timed out'],
    [totals.lost, 'lost'],
    [totals.stopped, 'stopped'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ');
}
