import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from '../protocol/errors.ts';
import { decideEnd } from './decide-end.ts';
import { decideStop } from './decide-stop.ts';
import { unknownRun } from './decide-steer.ts';
import type { Step } from './step.ts';
import { hasResultsToCome, openSteers } from './tree.ts';

/**
 * Lets a lead that waits for its next message end as it is, so that another agent or model can go on for it. Refused while it is in a turn, while messages
 * wait for it, or while something that it delegated is still to come: that would end with it (C3).
 */
export function decideLetGo(step: Step, leadId: string): Result<null, ApiError> {
  const run = step.tree.runs.get(leadId);
  const facts = step.tree.facts.get(leadId);
  if (run === undefined || facts === undefined) return err(unknownRun(leadId));
  if (run.state !== 'waiting' || run.reason !== 'user' || openSteers(step.tree, leadId).length > 0) {
    return err({
      code: 'not_allowed',
      message: 'The lead is at its turn. Agent and model change between messages: wait for its answer, or stop it.',
    });
  }
  if (hasResultsToCome(step.tree, leadId)) {
    return err({
      code: 'not_allowed',
      message:
        'What this lead has delegated is still at work, and would end with it. Change agent or model afterwards.',
    });
  }
  if (facts.attempt_id !== null) {
    // Its worker may be away just now: then it is told when it is back.
    step.tree.memory.letGo.add(leadId);
    step.effect({ type: 'send', run_id: leadId, frame: { type: 'finish' } });
  } else if (facts.answered !== null) {
    // Between turns it has no process: what it has answered is its end.
    step.report(leadId, facts.answered, facts.session);
    decideEnd(step, leadId, {}, null);
  } else decideStop(step, [leadId]);
  return ok(null);
}
