import type { RunRow } from '../protocol/rows.ts';
import { totalTokens } from '../protocol/token-sums.ts';
import { roundUsd } from '../runs/money.ts';
import { isCostUnknown } from './spent.ts';
import type { ConversationTree, DayUsage } from './tree.ts';

const NOTHING: DayUsage = { cost_usd: 0, unknown: false, tokens: 0 };

/** Counts on `day` what a run has used more than before, once (R5, R6); tells whether it was anything. */
export function addUsage(tree: ConversationTree, day: string, before: RunRow, after: RunRow): boolean {
  const tokens = totalTokens(after.tokens) - totalTokens(before.tokens);
  const cost = (after.cost_usd ?? 0) - (before.cost_usd ?? 0);
  if (tokens === 0 && cost === 0) return false;
  const known = tree.usage.get(day) ?? NOTHING;
  tree.usage.set(day, {
    cost_usd: roundUsd(known.cost_usd + cost),
    unknown: known.unknown || isCostUnknown(after),
    tokens: known.tokens + tokens,
  });
  return true;
}

/** The sum of what several conversations have used. */
export function sumUsage(usages: Iterable<DayUsage>): DayUsage {
  let sum = NOTHING;
  for (const { cost_usd, unknown, tokens } of usages) {
    sum = {
      cost_usd: roundUsd(sum.cost_usd + cost_usd),
      unknown: sum.unknown || unknown,
      tokens: sum.tokens + tokens,
    };
  }
  return sum;
}

/** The local calendar day of a moment: `2026-07-31`. */
export function localDay(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Milliseconds until the next local calendar day begins. */
export function untilNextDay(at: number): number {
  const next = new Date(at);
  next.setHours(24, 0, 0, 0);
  return next.getTime() - at;
}
