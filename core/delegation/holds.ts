import { isEnded } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';
import { totalTokens } from '../protocol/token-sums.ts';
import { roundUsd } from '../runs/money.ts';
import { addAmounts, unspent, type Amount, type Ceiling } from './budget.ts';
import type { Step } from './step.ts';
import type { ConversationTree, HoldRecord } from './tree.ts';

/** What an attempt may use, until its run has used so much in all. */
export interface Allowance {
  readonly upTo: Ceiling;
  /** Why it is less than the run was given. */
  readonly note: string | null;
}

const NOTHING: Amount = { cost_usd: 0, tokens: 0 };

/** What the run has used so far. */
export function spentBy({ cost_usd, tokens }: Pick<RunRow, 'cost_usd' | 'tokens'>): Amount {
  return { cost_usd: cost_usd ?? 0, tokens: totalTokens(tokens) };
}

/** What the attempt of a run holds now. */
export function heldBy(tree: ConversationTree, runId: string): Amount {
  const hold = tree.holds.get(runId);
  const run = tree.runs.get(runId);
  return hold === undefined || run === undefined || isEnded(run.state) ? NOTHING : unspent(hold, spentBy(run));
}

/** What the runs at work of a conversation hold; of those that `isIn` picks. */
export function heldIn(tree: ConversationTree, isIn: (run: RunRow) => boolean = () => true): Amount {
  let sum = NOTHING;
  for (const runId of tree.holds.keys()) {
    const run = tree.runs.get(runId);
    if (run !== undefined && isIn(run)) sum = addAmounts(sum, heldBy(tree, runId));
  }
  return sum;
}

/** Notes what the attempt holds; where nothing is limited there is nothing to hold. */
export function takeHold(
  step: Step,
  runId: string,
  attemptId: string,
  { upTo: { cost_usd, tokens } }: Allowance,
): void {
  if (cost_usd === null && tokens === null) return;
  step.emit({ type: 'hold_taken', v: 1, run_id: runId, attempt_id: attemptId, cost_usd, tokens });
}

/** Tells a worker what its attempt may use in all; it counts for its own attempt only. */
export function tellLimits(step: Step, runId: string, note: string | null = null): void {
  const hold = step.tree.holds.get(runId);
  if (hold === undefined) return;
  step.effect({ type: 'send', run_id: runId, frame: { type: 'limits', ...ownLimits(step.tree, hold), note } });
}

/** A hold in the counting of the attempt that has it. */
export function ownLimits(
  tree: ConversationTree,
  { run_id, cost_usd, tokens }: HoldRecord,
): { readonly max_cost_usd: number | null; readonly max_tokens: number | null } {
  const before = tree.facts.get(run_id)?.carried?.progress;
  const earlier = before === undefined ? NOTHING : spentBy(before);
  return {
    max_cost_usd: cost_usd === null ? null : Math.max(0, roundUsd(cost_usd - earlier.cost_usd)),
    max_tokens: tokens === null ? null : Math.max(0, tokens - earlier.tokens),
  };
}
