import { isEnded, isSteerable } from '../protocol/lifecycle.ts';
import type { ApiError } from '../protocol/errors.ts';
import { isOutside, type RunRow, type SteerMode, type SteerRow } from '../protocol/rows.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { wakeForMessages } from './decide-delivery.ts';
import type { Step } from './step.ts';

/** The one answer for an id that is unknown or not the caller's (C1): it tells nothing. */
export function unknownRun(id: string): ApiError {
  return { code: 'not_found', message: `There is no run, set or conversation ${id} that you could act on.` };
}

/**
 * Accepts a steering message into the ledger (C2). Once accepted it is delivered, handed over, or reported as missed.
 * Refused for ended or stopping runs and for the runner `command`, which cannot hear; the text then stays with the sender.
 */
export function decideSteer(step: Step, runId: string, mode: SteerMode, text: string): Result<SteerRow, ApiError> {
  const run = step.tree.runs.get(runId);
  if (run === undefined) return err(unknownRun(runId));
  if (run.runner === 'command') {
    return err({
      code: 'not_steerable',
      message: `A command cannot be steered: it does not read messages.${isEnded(run.state) ? '' : ' Stop it, or wait for its end.'}`,
    });
  }
  if (isOutside(run)) {
    return err({ code: 'not_steerable', message: `This is ${run.agent}, at work outside. Write to it there.` });
  }
  const isOver = step.tree.facts.get(runId)?.report != null;
  if (!isSteerable(run.state) || isOver) {
    const why = isOver ? 'it has said its last word' : run.words.toLowerCase();
    return err({
      code: 'not_steerable',
      message: `This run no longer accepts messages (${why}). Your text was not sent.`,
    });
  }
  const row: SteerRow = {
    steer_id: step.context.newId('steer'),
    run_id: runId,
    conversation_id: run.conversation_id,
    mode,
    text,
    state: 'accepted',
    sent_at: step.context.now,
    changed_at: step.context.now,
  };
  step.emit({ type: 'steer_sent', v: 1, row });
  if (!wakeForMessages(step, runId) && hearsSteers(run, mode)) {
    step.effect({ type: 'send', run_id: runId, frame: { type: 'steer', steer_id: row.steer_id, mode, text } });
  }
  return ok(row);
}

/** A worker that is not there yet hears of it when it connects; a lead's next message comes when it next waits. */
function hearsSteers(run: RunRow, mode: SteerMode): boolean {
  const isThere = run.state === 'running' || run.state === 'waiting';
  return isThere && !(run.lead && mode === 'follow_up');
}
