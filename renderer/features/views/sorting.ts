import type { RunRow, SetRow } from '../../../core/protocol/rows.ts';
import { totalTokens } from '../../../core/protocol/token-sums.ts';
import { activeSeconds } from '../../../core/protocol/active-time.ts';
import { markOf, type Mark } from '../../shared/status.ts';
import { labelOf } from '../../app/row-text.ts';

export const COLUMNS = ['name', 'status', 'agent', 'turns', 'tokens', 'time', 'cost'] as const;
export type Column = (typeof COLUMNS)[number];

/** A column and its direction; null is the order in which things were begun. */
export type Sort = { readonly by: Column; readonly down: boolean } | null;

/** What wants a person first, then what is at work, then what is over. */
const URGENCY: readonly Mark[] = [
  'permission',
  'question',
  'failed',
  'timed_out',
  'lost',
  'caveat',
  'running',
  'waiting',
  'paused',
  'queued',
  'stopped',
  'completed',
];

/** The value that a run is sorted by; null (nothing known) comes last whichever way the column goes. */
export function valueOfRun(run: RunRow, by: Column, now: number): number | string | null {
  switch (by) {
    case 'name':
      return labelOf(run).toLowerCase();
    case 'status':
      return URGENCY.indexOf(markOf(run));
    case 'agent':
      return run.agent;
    case 'turns':
      return run.turns;
    case 'tokens':
      return run.total_tokens;
    case 'time':
      return run.started_at === null ? null : activeSeconds(run, now);
    case 'cost':
      return run.total_cost_usd;
  }
}

/** The value that a set is sorted by, among the sets beside it. */
export function valueOfSet(set: SetRow, by: Column, now: number): number | string | null {
  switch (by) {
    case 'name':
      return (set.title ?? '').toLowerCase();
    case 'status':
      return set.ended_at === null ? 0 : 1;
    case 'agent':
    case 'turns':
      return null;
    case 'tokens':
      return totalTokens(set.totals.tokens);
    case 'time':
      return set.started_at === null ? null : (set.ended_at ?? now) - set.started_at;
    case 'cost':
      return set.totals.cost_usd;
  }
}

/** Orders two values; null comes last in both directions. */
export function compareValues(a: number | string | null, b: number | string | null, down: boolean): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  const order = typeof a === 'string' && typeof b === 'string' ? a.localeCompare(b) : Number(a) - Number(b);
  return down ? -order : order;
}

/** The sort that a press on a column's head leads to: up, down, and back to the order of the tree. Numbers begin with the greatest. */
export function nextSort(sort: Sort, by: Column): Sort {
  const first = by === 'turns' || by === 'tokens' || by === 'time' || by === 'cost';
  if (sort?.by !== by) return { by, down: first };
  return sort.down === first ? { by, down: !first } : null;
}
