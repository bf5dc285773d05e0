import { isEnded } from '../protocol/lifecycle.ts';
import { decideEnd, needsProof } from './decide-end.ts';
import { moveRun } from './move.ts';
import type { Step } from './step.ts';
import { slotRuns, type ConversationTree } from './tree.ts';

/** Runs of a run, set or conversation id, without what lies below them; undefined when the id is unknown here. */
export function runsOf(tree: ConversationTree, id: string): string[] | undefined {
  if (tree.runs.has(id)) return [id];
  if (tree.sets.has(id)) return slotRuns(tree, id).map((run) => run.run_id);
  if (tree.conversation.conversation_id === id) return [...tree.runs.keys()];
  return undefined;
}

function withDescendants(tree: ConversationTree, runId: string): string[] {
  const children = (tree.childSets.get(runId) ?? []).flatMap((setId) => tree.slots.get(setId) ?? []);
  return [...children.flatMap((child) => withDescendants(tree, child)), runId];
}

/**
 * Stops runs and everything below them (C3): what has not begun ends at once, so that nothing starts any more; then
 * children before parents, each by its process. Returns the runs that this stop ends, children first.
 */
export function decideStop(step: Step, runIds: readonly string[]): string[] {
  const all = [...new Set(runIds.flatMap((id) => withDescendants(step.tree, id)))];
  const open = all.filter((id) => !isEnded(step.tree.runs.get(id)?.state ?? 'ended'));
  // Those at work are marked first: when a queued one ends and its parent hears of it, nothing may go on.
  const working = open.filter((id) => {
    const run = step.tree.runs.get(id);
    return run !== undefined && needsProof(step, run);
  });
  const newly = working.filter((id) => moveRun(step, id, 'stopping'));
  for (const id of open) if (!working.includes(id)) decideEnd(step, id, { stopped: true }, null);
  for (const run_id of newly) step.effect({ type: 'stop_attempt', run_id, reason: 'stop' });
  return open;
}
