import type { UsageDay } from '../../../core/protocol/history.ts';

/** What was used on one day, of all projects that were asked for. */
export interface DayTotal {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly cost_usd: number;
  readonly tokens: number;
  /** Some of it was used at a price that nobody knows: the cost is at least this. */
  readonly unknown: boolean;
}

/** A local calendar day as the core names it. */
function dayName(at: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The last days up to and with `now`, the earliest first. Whole days by the calendar: clocks that are put back make none twice. */
export function lastDays(now: Date, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) =>
    dayName(new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - at), 12)),
  );
}

/** The sums of each day; days without use have 0, so that time is not squeezed. */
export function totalsByDay(days: readonly string[], used: readonly UsageDay[]): readonly DayTotal[] {
  const byDay = Map.groupBy(used, ({ day }) => day);
  return days.map((day) => sum(day, byDay.get(day) ?? []));
}

/** The sums of each project, the dearest first. */
export function totalsByProject(used: readonly UsageDay[]): readonly (DayTotal & { readonly project_id: string })[] {
  const groups = Map.groupBy(used, ({ project_id }) => project_id);
  return [...groups.entries()]
    .map(([project_id, list]) => ({ project_id, ...sum('', list) }))
    .sort((a, b) => b.cost_usd - a.cost_usd || b.tokens - a.tokens);
}

export function sum(day: string, used: readonly Pick<UsageDay, 'cost_usd' | 'tokens' | 'unknown'>[]): DayTotal {
  return {
    day,
    cost_usd: used.reduce((all, { cost_usd }) => all + cost_usd, 0),
    tokens: used.reduce((all, { tokens }) => all + tokens, 0),
    unknown: used.some(({ unknown }) => unknown),
  };
}
