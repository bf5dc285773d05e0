import { err, ok, type Result } from '../kit/result.ts';
import type { Batch, Task } from '../protocol/batch.ts';
import type { DispatchAnswer } from '../protocol/api/dispatch.ts';
import type { ApiError } from '../protocol/errors.ts';
import type { SetRow } from '../protocol/rows.ts';
import { under } from './ceilings.ts';
import { queueTask } from './decide-dispatch.ts';
import { decideNeverStarted } from './decide-end.ts';
import { takeTurn } from './decide-set-end.ts';
import { unknownRun } from './decide-steer.ts';
import { isFailure } from './set-status.ts';
import type { Step } from './step.ts';
import { isEndingFrom } from './stopping.ts';
import { runsByTaskId, turnOf } from './task-order.ts';
import { slotRuns } from './tree.ts';

/**
 * Adds a person's validated tasks to a set that has not ended (S8): n grows, no existing number moves, and no fan-out is charged (R3). Below a run
 * they get no more than it has (K3). What the batch says of the set as a whole does not count: the set has its own title and caps.
 */
export function decideAdd(step: Step, setId: string, batch: Batch): Result<DispatchAnswer, ApiError> {
  const set = step.tree.sets.get(setId);
  const refused = set === undefined ? unknownRun(setId) : refusal(step, set);
  if (set === undefined || refused !== null) return err(refused ?? unknownRun(setId));
  const parent = set.parent_run_id === null ? null : (step.tree.runs.get(set.parent_run_id) ?? null);
  const grown: SetRow = { ...set, count: set.count + batch.tasks.length };
  step.emit({ type: 'set_dispatched', v: 1, set: grown });
  const runIds = batch.tasks.map((task, at) => {
    const place = { set: grown, index: set.count + at, parent, retryOf: null, added: true };
    return queueTask(step, projectOf(step), parent === null ? task : under(step, parent, task), place);
  });
  for (const runId of runIds) settle(step, setId, runId);
  return ok({
    conversation_id: grown.conversation_id,
    delegation_id: setId,
    set: grown.set,
    count: runIds.length,
    run_ids: runIds,
    note: `Added to set ${grown.set}, which now has ${grown.count} tasks. They run in the background.`,
  });
}

function projectOf({ tree }: Step): string {
  return tree.conversation.project_id;
}

function refusal(step: Step, set: SetRow): ApiError | null {
  if (set.ended_at !== null) {
    return { code: 'already_ended', message: `Set ${set.set} has ended. Start a new set; nothing was added.` };
  }
  if (isEndingFrom(step.tree, set.parent_run_id)) {
    const message = `The run that set ${set.set} belongs to is being ended, and would end what is added with it. Nothing was added.`;
    return { code: 'not_allowed', message };
  }
  if (!set.fail_fast || !slotRuns(step.tree, set.delegation_id).some(isFailure)) return null;
  const message = `A task of set ${set.set} has failed, and it starts nothing after its first failure. Nothing was added.`;
  return { code: 'not_allowed', message };
}

/** What it depends on may have ended before it came. */
function settle(step: Step, setId: string, runId: string): void {
  const run = step.tree.runs.get(runId);
  const task: Task | undefined = step.tree.facts.get(runId)?.task;
  if (run === undefined || task === undefined || run.state !== 'queued' || run.reason !== 'dependency') return;
  const turn = turnOf(task, runsByTaskId(step.tree, setId));
  if (turn.type !== 'never') takeTurn(step, run, turn);
  else decideNeverStarted(step, runId, { kind: 'dependency', failure_reason: null, message: turn.message });
}
