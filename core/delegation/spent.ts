import type { InFlight } from '../protocol/report.ts';
import type { RunRow } from '../protocol/rows.ts';
import { addTokens, subtractTokens, totalTokens } from '../protocol/token-sums.ts';
import { roundUsd } from '../runs/money.ts';
import type { ConversationTree } from './tree.ts';

/** Nobody knows what its tokens cost (R5); a run that has used none has cost nothing. */
export function isCostUnknown(run: Pick<RunRow, 'cost_usd' | 'tokens'>): boolean {
  return run.cost_usd === null && totalTokens(run.tokens) > 0;
}

/** A sum of money with more; what is unknown stays so. */
export function addCost(cost: number | null, more: number | null): number | null {
  return cost === null || more === null ? null : roundUsd(cost + more);
}

/**
 * What a run uses counts at once in its set and in those above it, each once, and in the totals of the runs that these are below (R6).
 * What a run uses that was stopped with its set counts too, though the set has ended before it.
 */
export function spread(tree: ConversationTree, before: RunRow, after: RunRow): void {
  const tokens = subtractTokens(after.tokens, before.tokens);
  const cost = isCostUnknown(after) ? null : (after.cost_usd ?? 0) - (before.cost_usd ?? 0);
  if (cost === 0 && totalTokens(tokens) === 0) return;
  for (const id of setsAbove(tree, after)) {
    const set = tree.sets.get(id);
    if (set === undefined) continue;
    const { totals } = set;
    const cost_usd = addCost(totals.cost_usd, cost);
    tree.sets.set(id, { ...set, totals: { ...totals, tokens: addTokens(totals.tokens, tokens), cost_usd } });
  }
  for (const id of runsFrom(tree, after.run_id)) sumUp(tree, id);
}

/** Counts a run's total anew: its own, and that of each set it has made (R6). */
export function sumUp(tree: ConversationTree, runId: string): void {
  const run = tree.runs.get(runId);
  if (run === undefined) return;
  const sets = (tree.childSets.get(runId) ?? []).flatMap((id) => tree.sets.get(id) ?? []);
  const total_tokens = sets.reduce((sum, { totals }) => sum + totalTokens(totals.tokens), totalTokens(run.tokens));
  const own = isCostUnknown(run) ? null : (run.cost_usd ?? 0);
  const total_cost_usd = sets.reduce<number | null>((sum, { totals }) => addCost(sum, totals.cost_usd), own);
  if (total_tokens === run.total_tokens && total_cost_usd === run.total_cost_usd) return;
  tree.runs.set(runId, { ...run, total_tokens, total_cost_usd });
}

/** The set that a run belongs to, then those of the runs above it. */
export function setsAbove(tree: ConversationTree, run: Pick<RunRow, 'delegation_id' | 'parent_run_id'>): string[] {
  const parent = run.parent_run_id === null ? undefined : tree.runs.get(run.parent_run_id);
  const above = parent === undefined ? [] : setsAbove(tree, parent);
  return run.delegation_id === null ? above : [run.delegation_id, ...above];
}

/** A run, then those above it. */
export function runsFrom(tree: ConversationTree, runId: string | null): string[] {
  const run = runId === null ? undefined : tree.runs.get(runId);
  return run === undefined ? [] : [run.run_id, ...runsFrom(tree, run.parent_run_id)];
}

/** What a run had spent until its worker died, with the open request at its worst (R5). */
export function withInFlight<T extends Pick<RunRow, 'tokens' | 'cost_usd' | 'cost_status'>>(
  spent: T,
  open: InFlight | null | undefined,
): T {
  if (open == null) return spent;
  const cost_usd = isCostUnknown(spent) ? null : addCost(spent.cost_usd ?? 0, open.cost_usd);
  const cost_status = cost_usd === null ? 'unknown' : 'estimated';
  return { ...spent, tokens: addTokens(spent.tokens, open.tokens), cost_usd, cost_status };
}
