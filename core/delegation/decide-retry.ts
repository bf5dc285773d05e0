import { err, ok, type Result } from '../kit/result.ts';
import type { Task } from '../protocol/batch.ts';
import type { NewRun } from '../protocol/api/dispatch.ts';
import type { ApiError } from '../protocol/errors.ts';
import { isEnded } from '../protocol/lifecycle.ts';
import type { RunRow, SetRow } from '../protocol/rows.ts';
import { placeOf, placeReason, queueTask, type RunPlace } from './decide-dispatch.ts';
import { unknownRun } from './decide-steer.ts';
import { isClean, NO_TOTALS } from './set-status.ts';
import type { Step } from './step.ts';
import { isEndingFrom } from './stopping.ts';
import { runsByTaskId, turnOf } from './task-order.ts';
import { slotRuns } from './tree.ts';

/**
 * Queues a new run in the slot of one that has ended (C5). `task` is what it is to do: that of the earlier run, or an edited one that was
 * validated. The set is reopened, and its result delivered again; no fan-out is charged (R3). Of two retries of one run the second is told
 * of the first.
 */
export function decideRetry(step: Step, runId: string, task: Task): Result<NewRun, ApiError> {
  const slot = slotOf(step, runId, 'retry');
  if (!slot.ok) return slot;
  const { run, set, place } = slot.value;
  const turn = turnOf(task, runsByTaskId(step.tree, set.delegation_id));
  if (turn.type === 'never') return err({ code: 'not_allowed', message: `${turn.message} Retry that one first.` });
  reopenSet(step, set);
  const retried = { ...place, retryOf: run };
  const reason = turn.type === 'later' ? 'dependency' : placeReason(step, placeOf(retried));
  const by = queueTask(step, run.project_id, task, retried, reason);
  step.emit({ type: 'run_retried', v: 1, run_id: runId, by });
  return ok(newRunAnswer(run, by, `Stored as a new run of ${run.tag}. The result of set ${set.set} comes again.`));
}

/**
 * Retries every task of a set that ended without completing cleanly, but not those that a person stopped; what a dependency kept from starting
 * goes with it. Returns the new runs by task index.
 */
export function decideRetrySet(step: Step, setId: string): Result<NewRun[], ApiError> {
  const set = step.tree.sets.get(setId);
  if (set === undefined) return err(unknownRun(setId));
  const failed = slotRuns(step.tree, setId).filter(isWorthTrying);
  const retried: NewRun[] = [];
  // A task that depends on others can be tried once those are.
  for (let left = failed; left.length > 0;) {
    const refused = left.filter((run) => {
      const task = step.tree.facts.get(run.run_id)?.task;
      const again = task && decideRetry(step, run.run_id, task);
      if (again?.ok) retried.push(again.value);
      return !again?.ok;
    });
    if (refused.length === left.length) break;
    left = refused;
  }
  if (retried.length > 0) return ok(retried);
  const message = `Nothing in set ${set.set} has failed that could be tried again.`;
  return err({ code: 'not_allowed', message });
}

function isWorthTrying(run: RunRow): boolean {
  return isEnded(run.state) && !isClean(run) && (run.outcome !== 'stopped' || run.exit_reason === 'dependency');
}

/** A run that stands for its slot, with the place of the one that is to follow it. */
interface Slot {
  readonly run: RunRow;
  readonly set: SetRow;
  readonly place: RunPlace;
}

/** The slot of an ended run, or why nothing can follow it there. */
export function slotOf(step: Step, runId: string, what: 'retry' | 'continue'): Result<Slot, ApiError> {
  const { tree } = step;
  const run = tree.runs.get(runId);
  if (run === undefined) return err(unknownRun(runId));
  const set = run.delegation_id === null ? undefined : tree.sets.get(run.delegation_id);
  const parent = run.parent_run_id === null ? null : (tree.runs.get(run.parent_run_id) ?? null);
  const refused = (message: string): Result<Slot, ApiError> => err({ code: 'not_allowed', message });
  if (!isEnded(run.state)) {
    return refused(`This run has not ended (${run.words.toLowerCase()}). Stop it first, or send it a message.`);
  }
  if (set === undefined) return refused('A lead is not tried again: send it a message, and it goes on.');
  const later = run.retried_by ?? run.continued_by;
  if (later !== null) return refused(`${later} has taken the place of this run. ${nextOf(what)} that one.`);
  if (isEndingFrom(tree, run.parent_run_id)) {
    return refused('The run that this one belongs to is being ended, and would end this one with it.');
  }
  return ok({ run, set, place: { set, index: run.task_index, parent, retryOf: null } });
}

function nextOf(what: 'retry' | 'continue'): string {
  return what === 'retry' ? 'Retry' : 'Continue';
}

/** A set that goes on after its end: it is at work again, and its next result is a revised one (C5, T5). */
export function reopenSet(step: Step, set: SetRow): void {
  if (set.ended_at === null) return;
  const { tokens, cost_usd } = set.totals;
  const totals = { ...NO_TOTALS, tokens, cost_usd };
  const open = { ...set, status: 'running', ended_at: null, revision: set.revision + 1, totals };
  step.emit({ type: 'set_dispatched', v: 1, set: open });
}

/** The answer to a control that began a run in the place of another one. */
export function newRunAnswer(run: RunRow, run_id: string, note: string): NewRun {
  return { conversation_id: run.conversation_id, delegation_id: run.delegation_id, run_id, note };
}
