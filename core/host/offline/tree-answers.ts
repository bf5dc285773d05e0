import type { InferContractRouterOutputs } from '@orpc/contract';
import { setStatus, totalsOf } from '../../delegation/set-status.ts';
import { rootRuns, slotRuns, type ConversationTree } from '../../delegation/tree.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import type { contract } from '../../protocol/contract.ts';
import type { SetResult } from '../../protocol/result-entry.ts';

type Outputs = InferContractRouterOutputs<typeof contract>;

/** A conversation with everything in it; `totals` are over the runs that no run started. */
export function showConversation(tree: ConversationTree): Outputs['conversations']['show'] {
  const runs = [...tree.runs.values()];
  const totals = totalsOf(tree, rootRuns(tree));
  return { conversation: tree.conversation, sets: [...tree.sets.values()], runs, totals };
}

/** A set with its latest runs, and with its result once all have ended; null when it is not in the tree. */
export function showSet(tree: ConversationTree, delegationId: string): Outputs['sets']['show'] | null {
  const set = tree.sets.get(delegationId);
  if (set === undefined) return null;
  const runs = slotRuns(tree, delegationId);
  const isOpen = runs.some((run) => !isEnded(run.state));
  const result: SetResult = {
    conversation_id: set.conversation_id,
    delegation_id: delegationId,
    set: set.set,
    status: setStatus(runs),
    results: runs.flatMap((run) => tree.facts.get(run.run_id)?.result ?? []),
    totals: totalsOf(tree, runs),
  };
  return { set, runs, result: isOpen ? null : result };
}

/** A run with its result entry; null when it is not in the tree. */
export function showRun(tree: ConversationTree, runId: string): Outputs['runs']['show'] | null {
  const run = tree.runs.get(runId);
  if (run === undefined) return null;
  const steers = [...tree.steers.values()].filter((steer) => steer.run_id === runId);
  return { run, result: tree.facts.get(runId)?.result ?? null, steers };
}
