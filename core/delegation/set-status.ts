import { Outcome } from '../protocol/outcome.ts';
import { isEnded } from '../protocol/lifecycle.ts';
import type { SetStatus, Totals } from '../protocol/result-entry.ts';
import type { RunRow } from '../protocol/rows.ts';
import { addTokens, NO_TOKENS } from '../protocol/token-sums.ts';
import { roundUsd } from '../runs/money.ts';
import { isCostUnknown } from './spent.ts';
import { earlierRuns, slotRuns, type ConversationTree } from './tree.ts';

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

const NOTHING_SPENT = { tokens: NO_TOTALS.tokens, cost_usd: NO_TOTALS.cost_usd, duration_seconds: 0 };

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

function isOutcome(word: string | null): word is Outcome {
  return word !== null && Outcome.options.some((known) => known === word);
}

/** An outcome of a newer build counts nowhere, rather than as something else (T7). */
function addRunTo(totals: Totals, run: RunRow): Totals {
  const { outcome } = run;
  return {
    ...totals,
    ...(isOutcome(outcome) ? { [outcome]: totals[outcome] + 1 } : {}),
    truncated: totals.truncated + Number(run.caveats.includes('truncated')),
    acceptance_failed: totals.acceptance_failed + Number(run.caveats.includes('acceptance_failed')),
    ...addSpent(totals, run),
  };
}

function addSpent(totals: Totals, run: RunRow): Pick<Totals, 'tokens' | 'cost_usd' | 'duration_seconds'> {
  return {
    tokens: addTokens(totals.tokens, run.tokens),
    cost_usd: totals.cost_usd === null || isCostUnknown(run) ? null : roundUsd(totals.cost_usd + (run.cost_usd ?? 0)),
    duration_seconds: totals.duration_seconds + run.active_seconds,
  };
}

function descendants(tree: ConversationTree, runId: string): RunRow[] {
  return (tree.childSets.get(runId) ?? [])
    .flatMap((setId) => slotRuns(tree, setId))
    .flatMap((run) => [run, ...descendants(tree, run.run_id)]);
}

/** The latest runs of slots with those that they have replaced, and whatever is below any of these: all that was used for them. */
function everythingOf(tree: ConversationTree, runs: readonly RunRow[]): RunRow[] {
  const all = runs.flatMap((run) => [run, ...earlierRuns(tree, run)]);
  const sets = all.flatMap(({ run_id }) => tree.childSets.get(run_id) ?? []);
  return [...all, ...sets.flatMap((id) => everythingOf(tree, slotRuns(tree, id)))];
}

/** Sums over the latest run of each slot; what lies below, and what was retried, counts in money and tokens (T5, R6). */
export function totalsOf(tree: ConversationTree, runs: readonly RunRow[]): Totals {
  const own = runs.reduce(addRunTo, NO_TOTALS);
  const nested = runs.flatMap((run) => descendants(tree, run.run_id));
  const spent = everythingOf(tree, runs).reduce<Totals>((sum, run) => ({ ...sum, ...addSpent(sum, run) }), {
    ...own,
    ...NOTHING_SPENT,
  });
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
