import { isEnded } from '../protocol/lifecycle.ts';
import type { RunRow, SetRow } from '../protocol/rows.ts';
import { decideCallAnswer, decideDelivery } from './decide-delivery.ts';
import { decideEnd } from './decide-end.ts';
import { moveRun } from './move.ts';
import { earlyFailureText, resultText } from './result-text.ts';
import { isClean, isFailure, setStatus, totalsOf } from './set-status.ts';
import type { Step } from './step.ts';
import { callKey, slotRuns } from './tree.ts';

/** What follows from the end of a run for its siblings, its set and its parent. */
export function afterRunEnd(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || run.delegation_id === null) return;
  const set = step.tree.sets.get(run.delegation_id);
  if (set === undefined || set.ended_at !== null) return;
  const runs = slotRuns(step.tree, set.delegation_id);
  if (isFailure(run)) failedWithin(step, set, run, runs);
  releaseDependents(step, run, runs);
  const now = slotRuns(step.tree, set.delegation_id);
  if (now.every((other) => isEnded(other.state))) endSet(step, set);
}

function failedWithin(step: Step, set: SetRow, run: RunRow, runs: readonly RunRow[]): void {
  const first = runs.filter(isFailure).length === 1;
  const open = runs.some((other) => !isEnded(other.state));
  if (first && open && set.parent_run_id !== null) {
    step.effect({
      type: 'send',
      run_id: set.parent_run_id,
      frame: { type: 'notice', text: earlyFailureText(set, run) },
    });
  }
  if (!set.fail_fast) return;
  for (const other of runs) {
    if (other.state === 'queued')
      endUnstarted(step, other.run_id, `${run.tag} failed and the set ends at its first failure.`);
  }
}

function endUnstarted(step: Step, runId: string, message: string): void {
  decideEnd(step, runId, { neverStarted: { kind: 'dependency', failure_reason: null, message } }, null);
}

/** Starts the tasks whose dependencies are now met, and ends those whose cannot be any more (R10). */
function releaseDependents(step: Step, ended: RunRow, runs: readonly RunRow[]): void {
  const endedId = step.tree.facts.get(ended.run_id)?.task.id ?? null;
  if (endedId === null) return;
  const byTaskId = new Map(runs.map((run) => [step.tree.facts.get(run.run_id)?.task.id, run]));
  for (const run of runs) {
    const task = step.tree.facts.get(run.run_id)?.task;
    if (task === undefined || run.state !== 'queued' || run.reason !== 'dependency') continue;
    if (!task.depends_on.includes(endedId)) continue;
    const needed = task.depends_on.flatMap((id) => byTaskId.get(id) ?? []);
    const usable = (other: RunRow): boolean => task.depends_on_any_outcome || isClean(other);
    const broken = needed.find((other) => isEnded(other.state) && !usable(other));
    if (broken !== undefined) {
      endUnstarted(
        step,
        run.run_id,
        `${broken.tag} ended ${broken.words.toLowerCase()}, and this task needs it completed.`,
      );
    } else if (needed.every((other) => isEnded(other.state))) {
      moveRun(step, run.run_id, 'queued', step.context.paused ? 'paused' : 'concurrency');
      step.effect({ type: 'ask_place', run_id: run.run_id, head: false });
    }
  }
}

function endSet(step: Step, set: SetRow): void {
  const runs = slotRuns(step.tree, set.delegation_id);
  const status = setStatus(runs);
  const totals = totalsOf(step.tree, runs);
  step.emit({ type: 'set_ended', v: 1, delegation_id: set.delegation_id, status, totals });
  if (set.parent_run_id === null) return;
  const tasks = runs.flatMap((row) => {
    const result = step.tree.facts.get(row.run_id)?.result;
    return result ? [{ row, result }] : [];
  });
  const text = resultText(set, status, tasks, step.context.limits.summaryChars);
  const call =
    set.parent_call_id === null ? undefined : step.tree.calls.get(callKey(set.parent_run_id, set.parent_call_id));
  if (set.wait && call !== undefined && call.answer === null) {
    decideCallAnswer(step, call, { is_error: false, text });
  } else {
    decideDelivery(step, set, text);
  }
}
