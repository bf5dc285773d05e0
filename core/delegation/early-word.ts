import { isEnded } from '../protocol/lifecycle.ts';
import type { RunRow, SetRow } from '../protocol/rows.ts';
import { sendNotices } from './decide-delivery.ts';
import { earlyFailureText } from './result-text.ts';
import type { Step } from './step.ts';
import { callKey, successorOf } from './tree.ts';

/**
 * The first failure of a running set is told to its owner at the next safe boundary (P3), stored like its result, so that neither a cut nor a
 * restart loses it. One that waits in the call for the set has no boundary before the result.
 */
export function tellEarly(step: Step, set: SetRow, failed: RunRow): void {
  const parent = set.parent_run_id === null ? undefined : step.tree.runs.get(set.parent_run_id);
  const owner = parent && successorOf(step.tree, parent);
  if (owner === undefined || isEnded(owner.state) || isWaitedFor(step, set)) return;
  step.emit({
    type: 'delivery_queued',
    v: 1,
    kind: 'notice',
    delivery_id: step.context.newId('dlv'),
    conversation_id: set.conversation_id,
    delegation_id: set.delegation_id,
    to_run_id: owner.run_id,
    text: earlyFailureText(set, failed),
  });
  sendNotices(step, owner);
}

function isWaitedFor({ tree }: Step, { wait, parent_run_id, parent_call_id }: SetRow): boolean {
  if (!wait || parent_run_id === null || parent_call_id === null) return false;
  return tree.calls.get(callKey(parent_run_id, parent_call_id))?.answer === null;
}

/** The result of a set says all that was to be told early. */
export function closeNotices(step: Step, { delegation_id }: SetRow): void {
  for (const { delivery_id, to_run_id: by_run_id, ...notice } of step.tree.deliveries.values()) {
    if (notice.delegation_id !== delegation_id || notice.kind !== 'notice' || notice.done) continue;
    step.emit({ type: 'delivery_done', v: 1, delivery_id, by_run_id });
  }
}
