import { NOTHING_TO_WAIT_FOR } from '../protocol/delegate-tool.ts';
import type { SetRow } from '../protocol/rows.ts';
import { decideCallAnswer } from './decide-delivery.ts';
import { unknownRun } from './decide-steer.ts';
import type { Step } from './step.ts';
import { endedSetText } from './ended-set-text.ts';
import { callKey, callsOf, openDeliveries, type CallRecord, type ConversationTree } from './tree.ts';

/**
 * Takes up a call that waits for delegations of its run: for one, or for all that have not ended or whose results the run does not have yet. It is for
 * runs that cannot be told later, or not in time (P6). Their results are its answer, so that they are no messages any more (P2).
 */
export function decideWait(step: Step, call: CallRecord, delegationId: string | null): void {
  const { tree } = step;
  const answer = (text: string, is_error = false): void => decideCallAnswer(step, call, { is_error, text });
  // Its loop hands over each result as a turn of its own and counts on that.
  if (tree.runs.get(call.run_id)?.runner === 'builtin') {
    return answer(
      'Results of delegations in the background reach you as messages. End your turn to wait for them.',
      true,
    );
  }
  const own = tree.childSets.get(call.run_id) ?? [];
  if (delegationId !== null && !own.includes(delegationId)) return answer(unknownRun(delegationId).message, true);
  const waited = delegationId === null ? own.filter((id) => isDue(tree, call.run_id, id)) : [delegationId];
  if (waited.length === 0) return answer(NOTHING_TO_WAIT_FOR);
  tree.memory.waits.set(callKey(call.run_id, call.call_id), new Set(waited));
  settle(step, call);
}

/** A set has ended: answers the calls of its owner that waited for nothing else. */
export function answerWaits(step: Step, set: SetRow): void {
  if (set.parent_run_id === null) return;
  for (const call of callsOf(step.tree, set.parent_run_id)) {
    if (call.answer === null && isWait(call)) settle(step, call);
  }
}

function isWait({ arguments: args }: CallRecord): boolean {
  const { action } = (args ?? {}) as { action?: unknown };
  return typeof action === 'string' && action.trim().toLowerCase() === 'wait';
}

function isDue(tree: ConversationTree, runId: string, delegationId: string): boolean {
  if (tree.sets.get(delegationId)?.ended_at === null) return true;
  return openDeliveries(tree, runId).some(({ delegation_id }) => delegation_id === delegationId);
}

/** What the call waits for; after a restart of the core what is due then. */
function waitedFor({ tree }: Step, call: CallRecord): readonly string[] {
  const known = tree.memory.waits.get(callKey(call.run_id, call.call_id));
  if (known !== undefined) return [...known];
  const { delegation_id } = (call.arguments ?? {}) as { delegation_id?: unknown };
  if (typeof delegation_id === 'string' && delegation_id !== '') return [delegation_id];
  return (tree.childSets.get(call.run_id) ?? []).filter((id) => isDue(tree, call.run_id, id));
}

function settle(step: Step, call: CallRecord): void {
  const { tree } = step;
  const sets = waitedFor(step, call).flatMap((id) => tree.sets.get(id) ?? []);
  if (sets.some(({ ended_at }) => ended_at === null)) return;
  tree.memory.waits.delete(callKey(call.run_id, call.call_id));
  const texts = sets.map((set) => endedSetText(step, set, call.context_chars, sets.length));
  for (const { delivery_id, delegation_id } of openDeliveries(tree, call.run_id)) {
    if (!sets.some((set) => set.delegation_id === delegation_id)) continue;
    step.emit({ type: 'delivery_done', v: 1, delivery_id, by_run_id: call.run_id });
  }
  decideCallAnswer(step, call, { is_error: false, text: texts.join('\n\n') });
}
