import { formatDuration, formatMoney } from '../../shared/format.ts';
import { startStrings } from '../../shared/start-strings.ts';
import type { TaskFields } from './draft.ts';
import { numberIn } from './task-fields.ts';

/** Limits in words: `$2.00 · 80 turns · 20m`; empty when there are none of these. */
export function limitWords(limits: TaskFields): string {
  const [cost, turns, seconds] = ['max_cost_usd', 'max_turns', 'timeout_seconds'].map((key) => numberIn(limits, key));
  const parts: string[] = [];
  if (typeof cost === 'number') parts.push(formatMoney(cost));
  if (typeof turns === 'number') parts.push(startStrings.batch.turns(turns));
  if (typeof seconds === 'number') parts.push(formatDuration(seconds));
  return parts.join(' · ');
}
