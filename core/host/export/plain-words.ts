import { plainText } from '../../kit/terminal-text.ts';

/** Text of an agent on one line, safe for a terminal and cut to `max` characters. */
export function oneLineOf(text: string, max = 80): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
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
