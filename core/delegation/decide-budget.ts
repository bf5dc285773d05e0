import type { TreeLimits } from '../protocol/batch.ts';
import type { RunRow, SetRow } from '../protocol/rows.ts';
import { totalTokens } from '../protocol/token-sums.ts';
import { roundUsd } from '../runs/money.ts';
import { judgeBudget, lowerCeiling, UNLIMITED, type BudgetVerdict, type Ceiling, type LimitScope } from './budget.ts';
import { decideNeverStarted } from './decide-end.ts';
import { heldBy, heldIn, spentBy, type Allowance } from './holds.ts';
import { moveRun } from './move.ts';
import { setsAbove } from './spent.ts';
import type { DecisionContext, Step } from './step.ts';
import type { ConversationTree, DayUsage } from './tree.ts';

/** What a judgement of budgets looks at. */
export interface BudgetView {
  readonly tree: ConversationTree;
  readonly context: Pick<DecisionContext, 'limits' | 'today'>;
}

/** Whether a run may begin or go on, with what is left for it (R5). A program without a model uses nothing. */
function budgetVerdict(view: BudgetView, run: RunRow): BudgetVerdict {
  if (run.runner === 'command') return { type: 'admitted', left: UNLIMITED };
  return judgeBudget(ownLeft(view.tree, run), scopesOf(view, run));
}

function ownLeft(tree: ConversationTree, run: RunRow): Ceiling {
  const limits = tree.facts.get(run.run_id)?.task.limits;
  const spent = spentBy(run);
  const { cost_usd: max_cost_usd, tokens: max_tokens } = ceilingOf(limits ?? {});
  return {
    cost_usd: max_cost_usd === null ? null : roundUsd(max_cost_usd - spent.cost_usd),
    tokens: max_tokens === null ? null : max_tokens - spent.tokens,
  };
}

function ceilingOf({ max_cost_usd, max_tokens }: TreeLimits): Ceiling {
  return { cost_usd: max_cost_usd ?? null, tokens: max_tokens ?? null };
}

function isLimited({ cost_usd, tokens }: Ceiling): boolean {
  return cost_usd !== null || tokens !== null;
}

/** The limits that the run shares with others, the nearest first: those of sets around it, of its conversation, of the day. */
function scopesOf(view: BudgetView, run: RunRow): LimitScope[] {
  const { tree } = view;
  const sets = setsAbove(tree, run).flatMap((id) => tree.sets.get(id) ?? []);
  const around = sets.filter(({ tree_limits }) => tree_limits !== undefined && isLimited(ceilingOf(tree_limits)));
  return [...around.map((set) => setScope(tree, set, run)), ...treeScope(view, run), ...dayScope(view, run)];
}

function setScope(tree: ConversationTree, set: SetRow, run: RunRow): LimitScope {
  const { cost_usd, tokens } = set.totals;
  return {
    name: `set ${set.set} with everything below it`,
    from: { cost_usd: 'tree_limits.max_cost_usd of the set', tokens: 'tree_limits.max_tokens of the set' },
    ceiling: ceilingOf(set.tree_limits ?? {}),
    spent: usageOf(tree, { cost_usd, tokens: totalTokens(tokens) }, (other) =>
      setsAbove(tree, other).includes(set.delegation_id),
    ),
    held: heldIn(tree, (other) => other.run_id !== run.run_id && setsAbove(tree, other).includes(set.delegation_id)),
  };
}

function treeScope({ tree, context }: BudgetView, run: RunRow): LimitScope[] {
  const { treeCostUsd = null, treeTokens = null } = context.limits;
  const { tree_limits = {}, cost_usd, tokens } = tree.conversation;
  const ceiling = lowerCeiling({ cost_usd: treeCostUsd, tokens: treeTokens }, ceilingOf(tree_limits));
  if (!isLimited(ceiling)) return [];
  return [
    {
      name: 'this conversation',
      from: { cost_usd: 'limits.treeCostUsd', tokens: 'limits.treeTokens' },
      ceiling,
      spent: usageOf(tree, { cost_usd, tokens }, () => true),
      held: heldIn(tree, (other) => other.run_id !== run.run_id),
    },
  ];
}

function dayScope({ tree, context }: BudgetView, run: RunRow): LimitScope[] {
  const { dayCostUsd = null, dayTokens = null } = context.limits;
  const ceiling = { cost_usd: dayCostUsd, tokens: dayTokens };
  if (!isLimited(ceiling)) return [];
  const { spent, held } = context.today();
  const own = heldBy(tree, run.run_id);
  return [
    {
      name: 'today',
      from: { cost_usd: 'limits.dayCostUsd', tokens: 'limits.dayTokens' },
      ceiling,
      spent,
      held: { cost_usd: roundUsd(held.cost_usd - own.cost_usd), tokens: held.tokens - own.tokens },
    },
  ];
}

/** A sum of which a part is unknown counts with what is known of it. */
function usageOf(
  tree: ConversationTree,
  sum: { readonly cost_usd: number | null; readonly tokens: number },
  isIn: (run: RunRow) => boolean,
): DayUsage {
  if (sum.cost_usd !== null) return { cost_usd: sum.cost_usd, tokens: sum.tokens, unknown: false };
  const known = [...tree.runs.values()].filter(isIn).reduce((all, { cost_usd }) => all + (cost_usd ?? 0), 0);
  return { cost_usd: roundUsd(known), tokens: sum.tokens, unknown: true };
}

/** Whether a run that waits for budget would have to wait on: somebody else holds what it needs. */
export function waitsForBudget(view: BudgetView, run: RunRow): boolean {
  return budgetVerdict(view, run).type === 'wait';
}

/**
 * What the run may use now that it has a place (R5). Null: it waits for budget in its turn of the queue, or has ended, because nothing is left
 * and nobody is at work who could leave some. One whose worker is there goes on with nothing left, and comes to its own end.
 */
export function allowance(step: Step, run: RunRow): Allowance | null {
  const verdict = budgetVerdict(step, run);
  const { run_id } = run;
  switch (verdict.type) {
    case 'admitted':
      return { upTo: upTo(run, verdict.left), note: null };
    case 'wait':
      moveRun(step, run_id, run.state === 'queued' ? 'queued' : 'waiting', 'budget');
      step.effect({ type: 'return_place', run_id });
      return null;
    case 'refused':
      if (step.tree.facts.get(run_id)?.attempt_id != null) return { upTo: spentBy(run), note: verdict.why };
      decideNeverStarted(step, run_id, { kind: 'refused', failure_reason: 'budget', message: verdict.why });
      return null;
  }
}

function upTo(run: RunRow, left: Ceiling): Ceiling {
  const spent = spentBy(run);
  return {
    cost_usd: left.cost_usd === null ? null : roundUsd(spent.cost_usd + left.cost_usd),
    tokens: left.tokens === null ? null : spent.tokens + left.tokens,
  };
}

/** The limits of money that hold for what a run starts, beside those of the settings: the price of each model must be known then (S1, R5). */
export function treeMoneyLimits(tree: ConversationTree, runId: string): string[] {
  const run = tree.runs.get(runId);
  const sets = run === undefined ? [] : setsAbove(tree, run).flatMap((id) => tree.sets.get(id) ?? []);
  const limited = sets.find(({ tree_limits }) => tree_limits?.max_cost_usd !== undefined);
  return [
    ...(limited === undefined ? [] : [`tree_limits.max_cost_usd of set ${limited.set}`]),
    ...(tree.conversation.tree_limits?.max_cost_usd === undefined ? [] : ['the money limit of this conversation']),
  ];
}
