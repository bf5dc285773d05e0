import type { SetRow } from '../protocol/rows.ts';
import { resultText } from './result-text.ts';
import { setStatus } from './set-status.ts';
import type { Step } from './step.ts';
import { toldOf } from './summaries.ts';
import { slotRuns, successorOf } from './tree.ts';

/**
 * The result of an ended set for its owner (P4), its summaries bounded by what is left of the owner's context (P5); `shared`: so many sets share that.
 */
export function endedSetText(step: Step, set: SetRow, contextChars: number | null, shared = 1): string {
  const runs = slotRuns(step.tree, set.delegation_id);
  const tasks = runs.flatMap((row) => {
    const result = step.tree.facts.get(row.run_id)?.result;
    return result ? [{ row, result }] : [];
  });
  const room = contextChars === null ? null : Math.floor(contextChars / shared);
  return resultText(set, setStatus(runs), tasks, toldOf(step, tasks, room), dispatcherOf(step, set));
}

/** Who dispatched the set, for whoever reads its result: that may be a later run that goes on for it (P4). */
function dispatcherOf({ tree }: Step, { parent_run_id }: SetRow): string {
  const parent = parent_run_id === null ? undefined : tree.runs.get(parent_run_id);
  if (parent === undefined) return 'a person';
  return successorOf(tree, parent).run_id === parent.run_id ? 'you' : `${parent.run_id}, which you go on for,`;
}
