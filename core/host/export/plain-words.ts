import { cutGraphemes } from '../../delegation/lines/graphemes.ts';
import { oneLine } from '../../delegation/lines/one-line.ts';

/** Text of an agent on one line, as the lines of progress have it: inert, and cut to `max` graphemes (L5). */
export function oneLineOf(text: string, max = 80): string {
  return cutGraphemes(oneLine(text), max);
}

/** Money as people read it; an unknown price is never shown as 0 (R5). */
export function money(usd: number | null): string {
  if (usd === null) return 'cost unknown';
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

/** `12s`, from two minutes on whole minutes (L5). */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return whole < 120 ? `${whole}s` : `${Math.round(whole / 60)} min`;
}
