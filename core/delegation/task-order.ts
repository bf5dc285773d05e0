import type { Task } from '../protocol/batch.ts';
import { isEnded } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';
import { isClean } from './set-status.ts';
import { slotRuns, type ConversationTree } from './tree.ts';

/** The latest run of each task of a set that has an id. */
export function runsByTaskId(tree: ConversationTree, delegationId: string): ReadonlyMap<string, RunRow> {
  return new Map(
    slotRuns(tree, delegationId).flatMap((run): [string, RunRow][] => {
      const id = tree.facts.get(run.run_id)?.task.id ?? null;
      return id === null ? [] : [[id, run]];
    }),
  );
}

/** Whether a task may start (R10): all that it depends on is there, something is not yet, or never will be. */
export type TaskTurn =
  { readonly type: 'now' } | { readonly type: 'later' } | { readonly type: 'never'; readonly message: string };

/** Where a task stands to those that it depends on. */
export function turnOf(task: Task, runs: ReadonlyMap<string, RunRow>): TaskTurn {
  const missing = task.depends_on.flatMap((id) => runs.get(id) ?? []).filter((run) => !isMet(run, task));
  const broken = missing.find((run) => isEnded(run.state));
  if (broken !== undefined) {
    const how = broken.words.toLowerCase();
    return { type: 'never', message: `${broken.tag} ended ${how}, and this task needs it completed without caveat.` };
  }
  return { type: missing.length === 0 ? 'now' : 'later' };
}

function isMet(needed: RunRow, task: Task): boolean {
  return isEnded(needed.state) && (task.depends_on_any_outcome || isClean(needed));
}
