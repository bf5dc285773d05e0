import { addRun, addSet, callKey, emptyTree, type ConversationTree } from '../../delegation/tree.ts';
import type { StoredConversation } from '../../registry/store/records.ts';

/** The tree of a conversation as it is stored. */
export function treeOf(stored: StoredConversation): ConversationTree {
  const tree = emptyTree(stored.conversation);
  const attempts = new Map(stored.attempts.map((attempt) => [attempt.run_id, attempt.attempt_id]));
  for (const set of stored.sets) addSet(tree, set);
  for (const { row, task, result, report, once, session } of stored.runs) {
    addRun(tree, row, { task, result, report, once, session, attempt_id: attempts.get(row.run_id) ?? null });
  }
  for (const steer of stored.steers) tree.steers.set(steer.steer_id, steer);
  for (const ask of stored.asks) tree.asks.set(ask.row.ask_id, ask);
  for (const call of stored.calls) tree.calls.set(callKey(call.run_id, call.call_id), { ...call, sent: true });
  for (const delivery of stored.deliveries) tree.deliveries.set(delivery.delivery_id, delivery);
  return tree;
}
