import type { SetRow } from '../protocol/rows.ts';
import { resultText } from './result-text.ts';
import { setStatus } from './set-status.ts';
import type { Step } from './step.ts';
import { toldOf } from './summaries.ts';
import { slotRuns } from './tree.ts';

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
  return resultText(set, setStatus(runs), tasks, toldOf(step, tasks, room));
}
