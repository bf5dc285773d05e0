import type { Progress } from '../protocol/report.ts';
import { addTokens } from '../protocol/token-sums.ts';
import type { ConversationTree } from './tree.ts';

/** The counters of a run: what its worker counts for the present attempt, with what earlier attempts have used (R6). */
export function totalProgress(tree: ConversationTree, runId: string, own: Progress): Progress {
  const before = tree.facts.get(runId)?.carried?.progress;
  if (before === undefined) return own;
  return {
    turns: before.turns + own.turns,
    tool_calls: before.tool_calls + own.tool_calls,
    tokens: addTokens(before.tokens, own.tokens),
    ...addCost(before, own),
    active_seconds: before.active_seconds + own.active_seconds,
    in_flight: own.in_flight ?? null,
  };
}

type Cost = Pick<Progress, 'cost_usd' | 'cost_status' | 'tokens'>;

/** Unknown stays unknown (R5), but what used no tokens has cost nothing. */
function addCost(a: Cost, b: Cost): Pick<Progress, 'cost_usd' | 'cost_status'> {
  if (isFree(b)) return { cost_usd: a.cost_usd, cost_status: a.cost_status };
  if (isFree(a)) return { cost_usd: b.cost_usd, cost_status: b.cost_status };
  if (a.cost_usd === null || b.cost_usd === null) return { cost_usd: null, cost_status: 'unknown' };
  const cost_status = a.cost_status === b.cost_status ? b.cost_status : 'estimated';
  return { cost_usd: a.cost_usd + b.cost_usd, cost_status };
}

function isFree({ cost_usd, tokens }: Cost): boolean {
  return (cost_usd ?? 0) === 0 && Object.values(tokens).every((count) => count === 0);
}
