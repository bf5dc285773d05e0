import {
  addAsk,
  addCall,
  addDelivery,
  addRun,
  addSet,
  addSteer,
  emptyMemory,
  emptyTree,
  type ConversationTree,
  type TreeMemory,
} from '../../delegation/tree.ts';
import type { StoredConversation } from '../../registry/store/records.ts';

/** The tree of a conversation as it is stored, with what the living core knows of it; without that as after a restart. */
export function treeOf(stored: StoredConversation, memory: TreeMemory | null): ConversationTree {
  const tree = emptyTree(stored.conversation, memory ?? memoryAfterRestart(stored));
  const attempts = new Map(stored.attempts.map((attempt) => [attempt.run_id, attempt.attempt_id]));
  for (const set of stored.sets) addSet(tree, set);
  for (const { row, ...facts } of stored.runs) {
    addRun(tree, row, { ...facts, attempt_id: attempts.get(row.run_id) ?? null });
  }
  for (const steer of stored.steers) addSteer(tree, steer);
  for (const ask of stored.asks) addAsk(tree, ask);
  // Whether an answer reached its run is the worker's to say, when it comes back (P7).
  for (const call of stored.calls) addCall(tree, call);
  for (const delivery of stored.deliveries) addDelivery(tree, delivery);
  for (const hold of stored.holds) tree.holds.set(hold.run_id, hold);
  for (const { day, cost_usd, unknown, tokens } of stored.usage) tree.usage.set(day, { cost_usd, unknown, tokens });
  return tree;
}

/** Nobody knows which workers were told to pause: it is said again to all of them. */
function memoryAfterRestart({ attempts }: StoredConversation): TreeMemory {
  const memory = emptyMemory();
  for (const { run_id } of attempts) memory.toldToPause.add(run_id);
  return memory;
}
