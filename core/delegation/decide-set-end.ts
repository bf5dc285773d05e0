import { isEnded } from '../protocol/lifecycle.ts';
import type { FailureReason } from '../protocol/outcome.ts';
import type { RunRow, SetRow } from '../protocol/rows.ts';
import { decideCallAnswer, decideDelivery } from './decide-delivery.ts';
import { placeOf, placeReason, queueTask } from './decide-dispatch.ts';
import type { Ending } from './ending.ts';
import { moveRun } from './move.ts';
import { closeNotices, tellEarly } from './early-word.ts';
import { isFailure, setStatus, totalsOf } from './set-status.ts';
import type { Step } from './step.ts';
import { isAtWork } from './stopping.ts';
import { endedSetText } from './ended-set-text.ts';
import { runsByTaskId, turnOf, type TaskTurn } from './task-order.ts';
import { callKey, slotRuns, type CallRecord, type ConversationTree } from './tree.ts';
import { answerWaits } from './decide-wait.ts';

/**
 * What follows from the end of a run for its siblings, its set and its parent. Returns the runs that end with it; they are not ended here, so
 * that one end follows the other and a set ends once.
 */
export function afterRunEnd(step: Step, runId: string): Ending[] {
  const run = step.tree.runs.get(runId);
  const set = run?.delegation_id == null ? undefined : step.tree.sets.get(run.delegation_id);
  if (run === undefined || set === undefined || set.ended_at !== null) return [];
  if (retry(step, set, run)) return [];
  const endings = isFailure(run) ? failedWithin(step, set, run) : [];
  if (endings.length === 0) endings.push(...releaseDependents(step, set, run));
  if (slotRuns(step.tree, set.delegation_id).every((other) => isEnded(other.state))) endSet(step, set.delegation_id);
  return endings;
}

// R8: trying again cannot mend these.
const NEVER_RETRIED: readonly (FailureReason | string)[] = ['auth', 'billing', 'bad_request', 'model_not_found'];

/** Queues the next run of the slot if the task still has automatic retries (S5); they are spent before a set ends (T5). */
function retry(step: Step, set: SetRow, run: RunRow): boolean {
  const task = step.tree.facts.get(run.run_id)?.task;
  if (task === undefined || run.task_index === null || !mayRetry(run)) return false;
  if (triesBefore(step.tree, run) >= task.retry || hasFailedFast(step.tree, set)) return false;
  const parent = run.parent_run_id === null ? null : (step.tree.runs.get(run.parent_run_id) ?? null);
  if (parent !== null && !isAtWork(step.tree, parent)) return false;
  const place = { set, index: run.task_index, parent, retryOf: run };
  const by = queueTask(step, run.project_id, task, place, placeReason(step, placeOf(place)));
  step.emit({ type: 'run_retried', v: 1, run_id: run.run_id, by });
  return true;
}

/** Nothing starts any more in a set that fails fast and has a failure, nor is anything tried again (R10). One that is being judged is not it yet. */
function hasFailedFast(tree: ConversationTree, { fail_fast, delegation_id }: SetRow): boolean {
  return fail_fast && slotRuns(tree, delegation_id).filter(isFailure).length > 1;
}

/** How often the work of the run was tried before; a continued run begins to count anew. */
function triesBefore(tree: ConversationTree, run: RunRow): number {
  const before = run.retry_of === null ? undefined : tree.runs.get(run.retry_of);
  return before === undefined ? 0 : 1 + triesBefore(tree, before);
}

/**
 * A lost run is not tried again: it may have done its work, or be at it still. Nor is one that was stopped when it had said its last word (C3), nor one for which there was no money, or whose time was that of a run
 * above it: there is no more of it the next time.
 */
function mayRetry(run: RunRow): boolean {
  if (run.outcome !== 'failed' && run.outcome !== 'timed_out') return false;
  if (run.stop_asked === true || run.exit_reason === 'refused') return false;
  if (run.outcome === 'timed_out' && run.deadline?.of != null) return false;
  return run.failure_reason === null || !NEVER_RETRIED.includes(run.failure_reason);
}

/** A failure in a running set: its parent hears of the first (P3), and a set that fails fast starts nothing more (R10). */
function failedWithin(step: Step, set: SetRow, run: RunRow): Ending[] {
  const runs = slotRuns(step.tree, set.delegation_id);
  const isFirst = runs.filter(isFailure).length === 1;
  if (isFirst && runs.some((other) => !isEnded(other.state))) tellEarly(step, set, run);
  if (!set.fail_fast) return [];
  const message = `${run.tag} failed and the set ends at its first failure.`;
  return runs.filter((other) => other.state === 'queued').map((other) => unstarted(other.run_id, message));
}

function unstarted(run_id: string, message: string): Ending {
  return { run_id, known: { neverStarted: { kind: 'dependency', failure_reason: null, message } }, attempt: null };
}

/** Queues the tasks whose dependencies are now met, and returns those whose cannot be any more (R10). */
function releaseDependents(step: Step, set: SetRow, ended: RunRow): Ending[] {
  const endedId = taskIdOf(step, ended);
  if (endedId === null) return [];
  const runs = runsByTaskId(step.tree, set.delegation_id);
  const waiting = slotRuns(step.tree, set.delegation_id).filter(awaitsOthers);
  return waiting.flatMap((run) => {
    const task = step.tree.facts.get(run.run_id)?.task;
    return task?.depends_on.includes(endedId) ? takeTurn(step, run, turnOf(task, runs)) : [];
  });
}

function awaitsOthers({ state, reason }: RunRow): boolean {
  return state === 'queued' && reason === 'dependency';
}

/** Lets a run that waits for others start if it may; returns its end if it never will. */
export function takeTurn(step: Step, run: RunRow, turn: TaskTurn): Ending[] {
  if (turn.type === 'never') return [unstarted(run.run_id, turn.message)];
  if (turn.type === 'now') release(step, run.run_id);
  return [];
}

function taskIdOf(step: Step, run: RunRow): string | null {
  return step.tree.facts.get(run.run_id)?.task.id ?? null;
}

function release(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined) return;
  moveRun(step, runId, 'queued', placeReason(step, run));
  step.effect({ type: 'ask_place', run_id: runId, head: false });
}

const WAITED_INSTEAD =
  'You asked not to wait. Results could not have reached you later, so this call waited for them instead.';

function saidNotToWait(call: CallRecord | undefined): boolean {
  const args = call?.arguments;
  return typeof args === 'object' && args !== null && 'wait' in args && args.wait === false;
}

/** Ends a set whose slots have all ended, once, and hands its result to its owner (P1, P2). */
export function endSet(step: Step, delegationId: string): void {
  const runs = slotRuns(step.tree, delegationId);
  const status = setStatus(runs);
  step.emit({ type: 'set_ended', v: 1, delegation_id: delegationId, status, totals: totalsOf(step.tree, runs) });
  const set = step.tree.sets.get(delegationId);
  if (set === undefined || set.parent_run_id === null) return;
  closeNotices(step, set);
  const call =
    set.parent_call_id === null ? undefined : step.tree.calls.get(callKey(set.parent_run_id, set.parent_call_id));
  const text = endedSetText(step, set, call?.context_chars ?? null);
  const told = saidNotToWait(call) ? `${WAITED_INSTEAD}\n\n${text}` : text;
  if (set.wait && call?.answer === null) decideCallAnswer(step, call, { is_error: false, text: told });
  else decideDelivery(step, set, text);
  answerWaits(step, set);
}
