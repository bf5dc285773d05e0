import { expect } from 'vitest';
import { isPlaced } from '../delegation/move.ts';
import { holdsPlace, isEnded, isLive, queuesForPlace } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';
import { totalTokens } from '../protocol/token-sums.ts';
import type { DelegationWorld } from './delegation.ts';

/** T1 a third time, as the model checks it: a move that is not here is illegal. */
const LEGAL: Record<string, readonly string[]> = {
  queued: ['queued', 'starting'],
  starting: ['running', 'waiting', 'stopping'],
  running: ['waiting', 'stopping'],
  waiting: ['waiting', 'running', 'starting', 'stopping'],
  stopping: [],
  ended: [],
};

/** What a conversation and its sets say of themselves is what their runs are. */
export function checkCounts({ tree }: DelegationWorld): void {
  const runs = [...tree.runs.values()];
  const count = (fits: (run: RunRow) => boolean): number => runs.filter(fits).length;
  const stands = (run: RunRow): boolean => run.retried_by === null && run.continued_by === null;
  expect(tree.conversation).toMatchObject({
    runs: runs.length,
    sets: tree.sets.size,
    ended: count((run) => isEnded(run.state)),
    working: count((run) => holdsPlace(run.state, run.reason)),
    needs_you: count(
      (run) =>
        (run.state === 'waiting' && (run.reason === 'permission' || run.reason === 'question')) ||
        run.idle_since != null,
    ),
    unseen_failures: count((run) => isEnded(run.state) && !run.seen),
    failed: count((run) => stands(run) && ['failed', 'timed_out', 'lost'].includes(run.outcome ?? '')),
    stopped: count((run) => stands(run) && run.outcome === 'stopped'),
    caveats: count((run) => stands(run) && run.outcome === 'completed' && run.caveats.length > 0),
    tokens: runs.reduce((sum, run) => sum + totalTokens(run.tokens), 0),
  });
  expect(tree.conversation.cost_usd).toBeCloseTo(
    runs.reduce((sum, run) => sum + (run.cost_usd ?? 0), 0),
    6,
  );
  for (const set of tree.sets.values()) {
    const slots = (tree.slots.get(set.delegation_id) ?? []).map((id) => tree.runs.get(id));
    expect(slots).toHaveLength(set.count);
    expect(set.ended).toBe(slots.filter((run) => run && isEnded(run.state)).length);
    expect(set.ended_at !== null).toBe(set.ended === set.count);
  }
}

/** All runs of a set and below it, by their parents alone: also those that a retry or a continuation has replaced. */
function runsBelow({ tree }: DelegationWorld, setId: string): RunRow[] {
  const isBelow = (run: RunRow | undefined): boolean =>
    run !== undefined && (run.delegation_id === setId || isBelow(tree.runs.get(run.parent_run_id ?? '')));
  return [...tree.runs.values()].filter(isBelow);
}

/** T5, R6: outcomes count the latest run of each slot; what anything below has used counts once. */
export function checkTotals(world: DelegationWorld): void {
  const { tree } = world;
  for (const { delegation_id, totals, count, status } of tree.sets.values()) {
    const slots = (tree.slots.get(delegation_id) ?? []).flatMap((id) => tree.runs.get(id) ?? []);
    const of = (outcome: string): number => slots.filter((run) => run.outcome === outcome).length;
    const { completed, failed, stopped, timed_out, lost } = totals;
    expect({ completed, failed, stopped, timed_out, lost }).toEqual({
      completed: of('completed'),
      failed: of('failed'),
      stopped: of('stopped'),
      timed_out: of('timed_out'),
      lost: of('lost'),
    });
    expect(completed + failed + stopped + timed_out + lost).toBe(count);
    expect(status === 'completed').toBe(slots.every((run) => run.outcome === 'completed' && run.caveats.length === 0));
    const below = runsBelow(world, delegation_id);
    expect(totalTokens(totals.tokens)).toBe(below.reduce((sum, run) => sum + totalTokens(run.tokens), 0));
    expect(totals.cost_usd ?? Number.NaN).toBeCloseTo(
      below.reduce((sum, run) => sum + (run.cost_usd ?? 0), 0),
      6,
    );
    expect(totals.truncated).toBe(slots.filter((run) => run.caveats.includes('truncated')).length);
  }
  for (const run of tree.runs.values()) {
    const sets = [...tree.sets.values()].filter(({ parent_run_id }) => parent_run_id === run.run_id);
    const below = sets.flatMap(({ delegation_id }) => runsBelow(world, delegation_id));
    const total = [run, ...below].reduce((sum, one) => sum + (one.cost_usd ?? 0), 0);
    expect(run.total_cost_usd ?? Number.NaN).toBeCloseTo(total, 6);
  }
}

/**
 * Who holds a place by the books of admission is exactly who holds one by its row, and no more than may, in the app and in each set (R1). Between two
 * attempts a new core has given it none yet.
 */
export function checkPlaces({ admission, tree, limits }: DelegationWorld): void {
  const known = admission.known;
  const placed = new Set(known.slice(0, admission.atWork));
  const holders = [...tree.runs.values()].filter(isPlaced);
  const without = holders.filter(
    ({ run_id, reason }) => !placed.has(run_id) && !(reason === 'restart' && known.includes(run_id)),
  );
  expect(without).toEqual([]);
  expect(admission.atWork).toBe(holders.filter(({ run_id }) => placed.has(run_id)).length);
  expect(admission.atWork).toBeLessThanOrEqual(limits.concurrency);
  const overfull = [...tree.sets.values()].filter(({ delegation_id: id, max_concurrent }) => {
    return holders.filter((run) => run.delegation_id === id && placed.has(run.run_id)).length > max_concurrent;
  });
  expect(overfull).toEqual([]);
}

/** Whoever waits for a place has asked for one, and whoever waits for another task waits for one that is open: nobody is forgotten (R1, R10). */
export function checkQueues({ admission, tree }: DelegationWorld): void {
  const known = new Set(admission.known);
  const forgotten = [...tree.runs.values()].filter((run) => {
    if (run.state === 'queued' && run.reason === 'dependency') return !waitsForOpen(tree, run);
    const queues = run.state === 'queued' || (run.state === 'waiting' && queuesForPlace(run.reason));
    return queues && !known.has(run.run_id) && tree.facts.get(run.run_id)?.closing == null;
  });
  expect(forgotten).toEqual([]);
}

function waitsForOpen({ facts, runs, slots }: DelegationWorld['tree'], run: RunRow): boolean {
  const needed = facts.get(run.run_id)?.task.depends_on ?? [];
  return (slots.get(run.delegation_id ?? '') ?? []).some((id) => {
    return needed.includes(facts.get(id)?.task.id ?? '') && !isEnded(runs.get(id)?.state ?? 'ended');
  });
}

function above(world: DelegationWorld, run: RunRow): RunRow[] {
  const parent = world.tree.runs.get(run.parent_run_id ?? '');
  return parent === undefined ? [] : [parent, ...above(world, parent)];
}

/** It works on: neither ended nor being ended, nor has it said its last word. */
function isAtWork({ tree }: DelegationWorld, { run_id, state }: RunRow): boolean {
  const facts = tree.facts.get(run_id);
  return isLive(state) && state !== 'stopping' && facts?.report == null && facts?.closing == null;
}

/** Nothing works on below a run that has ended, but what a person has begun there since (C3). */
export function checkBelow(world: DelegationWorld, begun: ReadonlySet<string>): void {
  const left = [...world.tree.runs.values()].filter((run) => {
    if (!isAtWork(world, run)) return false;
    const path = [run, ...above(world, run)];
    const ended = path.findLastIndex(({ state }) => isEnded(state));
    return ended > 0 && !path.slice(0, ended).some(({ run_id }) => begun.has(run_id));
  });
  expect(left).toEqual([]);
}

/** What was stopped, and all below it by its parents, works on no more (C3). */
export function checkStopped(world: DelegationWorld, stopped: readonly string[]): void {
  const left = [...world.tree.runs.values()].filter((run) =>
    [run, ...above(world, run)].some(({ run_id }) => stopped.includes(run_id)),
  );
  expect(left.filter((run) => isAtWork(world, run))).toEqual([]);
}

/** Every move is legal, follows the one before, and every run and set ends once (T7). */
export function checkHistory({ events }: DelegationWorld): void {
  const state = new Map<string, string>();
  const endedSets = new Set<string>();
  const lost = new Set<string>();
  const revisions = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'run_queued') state.set(event.run.run_id, 'queued');
    else if (event.type === 'run_moved') {
      expect(event.from).toBe(state.get(event.run_id));
      expect(LEGAL[event.from]).toContain(event.to);
      state.set(event.run_id, event.to);
    } else if (event.type === 'run_ended') {
      if (!lost.has(event.run_id)) expect(state.get(event.run_id)).not.toBe('ended');
      if (event.verdict.outcome === 'lost') lost.add(event.run_id);
      else lost.delete(event.run_id);
      state.set(event.run_id, 'ended');
    } else if (event.type === 'set_dispatched') {
      // A set that has ended is at work again only as a new revision (C5).
      const { delegation_id, revision } = event.set;
      expect(revision).toBe((revisions.get(delegation_id) ?? 0) + Number(endedSets.delete(delegation_id)));
      revisions.set(delegation_id, revision);
    } else if (event.type === 'set_ended') {
      expect(endedSets.has(event.delegation_id)).toBe(false);
      endedSets.add(event.delegation_id);
    }
  }
}

/** At the end nothing is open, held or queued. */
export function checkNothingOpen({ tree, admission, attempts }: DelegationWorld): void {
  expect([...tree.runs.values()].filter((run) => !isEnded(run.state))).toEqual([]);
  expect([...tree.sets.values()].filter((set) => set.ended_at === null || set.status === 'running')).toEqual([]);
  expect([...tree.asks.values()].filter(({ row }) => row.state === 'open')).toEqual([]);
  expect([...tree.steers.values()].filter(({ state }) => state === 'accepted' || state === 'queued')).toEqual([]);
  expect([...tree.calls.values()].filter((call) => call.answer === null)).toEqual([]);
  expect([...tree.facts.values()].filter((facts) => facts.attempt_id !== null || facts.result === null)).toEqual([]);
  expect(admission.atWork).toBe(0);
  expect(admission.grant()).toEqual([]);
  expect(attempts.size).toBe(0);
}
