import { workedBefore } from '../../delegation/decide-close.ts';
import type { ConversationTree } from '../../delegation/tree.ts';
import type { ProjectRow, RunRow } from '../../protocol/rows.ts';
import type { Worktree } from '../../protocol/worktree.ts';

/** Where a run works. */
export interface Workspace {
  readonly folder: string;
  /** It is this run's own worktree: nobody else works in it. */
  readonly isolated: boolean;
}

/** A run works in its own worktree, else where its parent works, else in the project's folder (K3). */
export function workspaceOf(tree: ConversationTree, run: RunRow, project: ProjectRow): Workspace {
  const own = tree.facts.get(run.run_id)?.worktree ?? null;
  if (own !== null) return { folder: own.folder, isolated: true };
  return { folder: worktreeAbove(tree, run)?.folder ?? project.path, isolated: false };
}

/** The worktree of the nearest run above that has one. */
function worktreeAbove(tree: ConversationTree, run: RunRow): Worktree | null {
  const parent = run.parent_run_id === null ? undefined : tree.runs.get(run.parent_run_id);
  if (parent === undefined) return null;
  return tree.facts.get(parent.run_id)?.worktree ?? worktreeAbove(tree, parent);
}

/**
 * What a new worktree begins with: the branch that is left of the run it continues, else what the task says, else what the run above has committed in
 * its worktree, else what the project has checked out.
 */
export function baseOf(tree: ConversationTree, run: RunRow): string | null {
  const said = tree.facts.get(run.run_id)?.task.base_ref ?? null;
  const left = workedBefore(tree, run.run_id).find(({ worktree }) => worktree?.state === 'branch')?.worktree?.branch;
  return left ?? said ?? worktreeAbove(tree, run)?.branch ?? null;
}
