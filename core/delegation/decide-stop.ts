import { isEnded } from '../protocol/lifecycle.ts';
import { decideEnd } from './decide-end.ts';
import type { Step } from './step.ts';
import { markStopping, withDescendants } from './stopping.ts';
import { runsInSlots, type ConversationTree } from './tree.ts';

/** Runs of a run, set or conversation id, without what lies below them; undefined when the id is unknown here. */
export function runsOf(tree: ConversationTree, id: string): string[] | undefined {
  if (tree.runs.has(id)) return [id];
  if (tree.sets.has(id)) return runsInSlots(tree, id).map((run) => run.run_id);
  if (tree.conversation.conversation_id === id) return [...tree.runs.keys()];
  return undefined;
}

/**
 * Stops runs and everything below them (C3): what has not begun ends at once, so that nothing starts any more; then
 * children before parents, each by its process. Returns the runs that this stop ends, children first.
 */
export function decideStop(step: Step, runIds: readonly string[]): string[] {
  const all = [...new Set(runIds.flatMap((id) => withDescendants(step.tree, id)))];
  const open = all.filter((id) => !isEnded(step.tree.runs.get(id)?.state ?? 'ended'));
  for (const id of markStopping(step, open)) decideEnd(step, id, { stopped: true }, null);
  return open;
}
