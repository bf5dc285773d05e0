import { isEnded } from '../protocol/lifecycle.ts';
import type { ProcessName } from '../protocol/report.ts';
import type { AcceptanceResult, WorktreeResult } from '../protocol/result-entry.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { RunWorktree, Worktree } from '../protocol/worktree.ts';
import { decideEnd } from './decide-end.ts';
import { moveRun } from './move.ts';
import type { Step } from './step.ts';
import type { ConversationTree } from './tree.ts';

const AT_WORK = { state: 'at_work', commits: null, dirty: null, applied: null } as const;

/** A run that is about to start has its worktree (W1); stored before its worker starts, so that no crash loses or doubles it. */
export function decidePrepared(step: Step, runId: string, worktree: Worktree): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || isEnded(run.state)) return;
  step.worktree(runId, worktree);
  const { branch, path } = worktree;
  changeWorktree(step, runId, { branch, path, ...AT_WORK });
}

/**
 * Gives a run the kept worktree of the run that it continues (C5): from now on it is this run's alone. Tells whether there was one to take; it
 * is not locked yet.
 */
export function decideTakeOver(step: Step, runId: string): boolean {
  const from = workedBefore(step.tree, runId).find(({ worktree }) => worktree?.state === 'kept');
  const worktree = from === undefined ? null : step.tree.facts.get(from.run_id)?.worktree;
  if (from?.worktree == null || worktree == null) return false;
  changeWorktree(step, from.run_id, { ...from.worktree, state: 'continued' });
  decidePrepared(step, runId, { ...worktree, run_id: runId, made_for: worktree.made_for ?? worktree.run_id });
  return true;
}

/** The runs whose work a run that continues one goes on with, the latest first: its retry has what it tried before. */
export function workedBefore(tree: ConversationTree, runId: string): RunRow[] {
  const run = tree.runs.get(runId);
  if (run === undefined || run.continues === null) return [];
  return [run.retry_of, run.continues].flatMap((id) => (id === null ? [] : (tree.runs.get(id) ?? [])));
}

/** Says what became of a run's worktree. */
export function changeWorktree(step: Step, runId: string, worktree: RunWorktree): void {
  step.emit({ type: 'worktree_changed', v: 1, run_id: runId, worktree });
}

/** The core of an earlier start went before the worker of this attempt was ordered: the run starts again, or ends if it was stopped. */
export function decideNotOrdered(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  const attempt_id = step.tree.facts.get(runId)?.attempt_id;
  if (run === undefined || isEnded(run.state) || attempt_id == null) return;
  if (run.state === 'stopping') return decideEnd(step, runId, { stopped: true }, null);
  step.emit({
    type: 'attempt_ended',
    v: 1,
    run_id: runId,
    attempt_id,
    proof: { method: 'not_started' },
    survivors: [],
  });
  moveRun(step, runId, 'waiting', 'restart');
}

/** The verify commands of a closing run have run (T4); `survivors` are processes of theirs that could not be ended. */
export function decideVerified(
  step: Step,
  runId: string,
  acceptance: AcceptanceResult,
  survivors: readonly ProcessName[],
): void {
  const closing = step.tree.facts.get(runId)?.closing;
  if (closing?.acceptance !== 'asked') return;
  const { attempt } = closing;
  const all = attempt === null ? null : { ...attempt, survivors: [...attempt.survivors, ...survivors] };
  step.closing(runId, { ...closing, attempt: all, acceptance });
}

/** Everything about a closing run was looked at: it ends. `worktree` is null without one. */
export function decideClosed(step: Step, runId: string, worktree: WorktreeResult | null): void {
  const closing = step.tree.facts.get(runId)?.closing;
  if (closing == null) return;
  const { known, attempt, acceptance } = closing;
  decideEnd(step, runId, known, attempt, { acceptance: acceptance === 'asked' ? null : acceptance, worktree });
}
