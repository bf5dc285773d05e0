import { Admission } from '../delegation/admission.ts';
import { decideAnswered } from '../delegation/decide-attempt.ts';
import { decideEnd } from '../delegation/decide-end.ts';
import { decidePause } from '../delegation/decide-pause.ts';
import { isPlaced } from '../delegation/move.ts';
import { hasResultsToCome, type ConversationTree } from '../delegation/tree.ts';
import { treeOf } from '../host/engine/stored-tree.ts';
import { isLive, queuesForPlace } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { AttemptRecord } from '../registry/store/records.ts';
import type { DelegationWorld } from './delegation.ts';

/** The tree as the next core reads it: from its rows alone, as they are stored. */
function storedAgain(tree: ConversationTree): ConversationTree {
  const rows = {
    conversation: tree.conversation,
    sets: [...tree.sets.values()],
    runs: [...tree.runs.values()].flatMap((row) => {
      const { attempt_id: _, ...facts } = tree.facts.get(row.run_id) ?? { attempt_id: null };
      return [{ row, ...facts }];
    }),
    attempts: [...tree.facts].flatMap(([run_id, { attempt_id }]) =>
      attempt_id === null ? [] : [{ run_id, attempt_id }],
    ),
    steers: [...tree.steers.values()],
    asks: [...tree.asks.values()],
    calls: [...tree.calls.values()],
    deliveries: [...tree.deliveries.values()],
    holds: [...tree.holds.values()],
    usage: [...tree.usage].map(([day, used]) => ({ day, ...used })),
  };
  const stored = structuredClone(rows) as unknown as Parameters<typeof treeOf>[0] & { attempts: AttemptRecord[] };
  return treeOf(stored, null);
}

/**
 * The core of a world ends and another takes its tree up (D5), as `recovery.ts` does: whoever is at work has its place first, then what waits for one
 * queues again, and what nobody can prove to be at work is settled.
 */
export function restartCore(world: DelegationWorld): void {
  world.tree = storedAgain(world.tree);
  world.restarts.length = 0;
  world.admission = new Admission(() => world.limits.concurrency);
  const all = [...world.tree.runs.values()].filter((run) => isLive(run.state));
  for (const run of all) if (goesOn(world, run) && isPlaced(run)) hold(world, run);
  for (const run of all) takeUp(world, run);
  world.decide((step) => decidePause(step));
}

function goesOn({ tree }: DelegationWorld, { run_id }: RunRow): boolean {
  const facts = tree.facts.get(run_id);
  return facts?.attempt_id != null || facts?.closing != null;
}

function groupOf({ tree }: DelegationWorld, { run_id, delegation_id }: RunRow): { group: string; groupCap: number } {
  const set = tree.sets.get(delegation_id ?? '');
  return { group: delegation_id ?? run_id, groupCap: set?.max_concurrent ?? 1 };
}

function hold(world: DelegationWorld, run: RunRow): void {
  const { group, groupCap } = groupOf(world, run);
  world.admission.hold(run.run_id, group, groupCap);
}

function ask(world: DelegationWorld, run: RunRow, head: boolean): void {
  world.admission.ask({ run_id: run.run_id, ...groupOf(world, run), head });
}

function takeUp(world: DelegationWorld, run: RunRow): void {
  const waits = run.state === 'waiting';
  if (goesOn(world, run)) {
    if (waits && queuesForPlace(run.reason)) ask(world, run, true);
  } else if (run.state === 'queued') {
    if (run.reason !== 'dependency') ask(world, run, false);
  } else if (waits && (queuesForPlace(run.reason) || run.reason === 'restart')) ask(world, run, true);
  else if (!waits || !needsNoProcess(world, run)) settle(world, run);
}

function needsNoProcess({ tree }: DelegationWorld, run: RunRow): boolean {
  if (run.reason === 'paused') return run.paused;
  const isFinished = tree.facts.get(run.run_id)?.once === true && !hasResultsToCome(tree, run.run_id);
  return run.lead && run.reason === 'user' && !isFinished;
}

function settle(world: DelegationWorld, { run_id, state }: RunRow): void {
  world.decide((step) => {
    if (decideAnswered(step, run_id, null)) return;
    const death = { death: { proved: false, message: 'Nobody saw its end.' } };
    decideEnd(step, run_id, state === 'stopping' ? { stopped: true } : death, null);
  });
}
