import { isEnded } from '../protocol/lifecycle.ts';
import type { SetStatus, Totals } from '../protocol/result-entry.ts';
import type { RunRow } from '../protocol/rows.ts';
import { addTokens, NO_TOKENS } from '../protocol/usage.ts';
import { slotRuns, type ConversationTree } from './tree.ts';

export const NO_TOTALS: Totals = {
  completed: 0,
  failed: 0,
  stopped: 0,
  timed_out: 0,
  lost: 0,
  truncated: 0,
  acceptance_failed: 0,
  tokens: NO_TOKENS,
  cost_usd: 0,
  duration_seconds: 0,
  nested: { runs: 0, failed: 0 },
};

/** A run that ended completed and without caveat: the only one that gets ✓ (T4). */
export function isClean(run: RunRow): boolean {
  return run.outcome === 'completed' && run.caveats.length === 0;
}

/** Status of a set by the latest run of each slot, first match (T5). */
export function setStatus(runs: readonly RunRow[]): SetStatus {
  if (runs.some((run) => !isEnded(run.state))) return 'running';
  const unclean = runs.filter((run) => !isClean(run));
  if (unclean.length === 0) return 'completed';
  if (unclean.every((run) => run.outcome === 'stopped')) return 'stopped';
  return runs.some((run) => run.outcome === 'completed') ? 'partial' : 'failed';
}

function addRunTo(totals: Totals, run: RunRow): Totals {
  const outcome = run.outcome;
  const counted =
    outcome === 'completed' ||
    outcome === 'failed' ||
    outcome === 'stopped' ||
    outcome === 'timed_out' ||
    outcome === 'lost'
      ? { [outcome]: totals[outcome] + 1 }
      : {};
  return {
    ...totals,
    ...counted,
    truncated: totals.truncated + Number(run.caveats.includes('truncated')),
    acceptance_failed: totals.acceptance_failed + Number(run.caveats.includes('acceptance_failed')),
    ...addSpent(totals, run),
  };
}

function addSpent(totals: Totals, run: RunRow): Pick<Totals, 'tokens' | 'cost_usd' | 'duration_seconds'> {
  const unknown = totals.cost_usd === null || run.cost_usd === null;
  return {
    tokens: addTokens(totals.tokens, run.tokens),
    cost_usd: unknown ? null : Math.round(((totals.cost_usd ?? 0) + (run.cost_usd ?? 0)) * 1e6) / 1e6,
    duration_seconds: totals.duration_seconds + run.active_seconds,
  };
}

function descendants(tree: ConversationTree, runId: string): RunRow[] {
  return (tree.childSets.get(runId) ?? [])
    .flatMap((setId) => slotRuns(tree, setId))
    .flatMap((run) => [run, ...descendants(tree, run.run_id)]);
}

/** Sums over the latest run of each slot; what lies below counts in money, tokens and `nested` (T5, R6). */
export function totalsOf(tree: ConversationTree, runs: readonly RunRow[]): Totals {
  const own = runs.reduce(addRunTo, NO_TOTALS);
  const nested = runs.flatMap((run) => descendants(tree, run.run_id));
  const spent = nested.reduce<Totals>((sum, run) => ({ ...sum, ...addSpent(sum, run) }), own);
  return {
    ...spent,
    duration_seconds: Math.round(own.duration_seconds * 1000) / 1000,
    nested: { runs: nested.length, failed: nested.filter(isFailure).length },
  };
}

/** Failed, timed out or lost: what a person should hear of. */
export function isFailure(run: RunRow): boolean {
  return run.outcome === 'failed' || run.outcome === 'timed_out' || run.outcome === 'lost';
}
