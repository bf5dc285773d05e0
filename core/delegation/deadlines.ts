import type { RunRow, SetRow } from '../protocol/rows.ts';
import { taskName } from './lines/set-lines.ts';
import { runsFrom } from './spent.ts';
import { earlierRuns, slotRuns, type ConversationTree } from './tree.ts';

/** Active seconds that a run has in all, and the run above it whose limit that is; null is its own (R7). */
export interface Deadline {
  readonly seconds: number;
  readonly of: string | null;
}

/**
 * The time that a run has (R7): its own limit, or what is left to a run above it, whichever is less. A run has used its own active time, and
 * that of the sets it has waited for: while it waits its own worker measures none.
 */
export function deadlineOf(tree: ConversationTree, run: RunRow): Deadline | null {
  const [, ...above] = runsFrom(tree, run.run_id);
  const limits = above.flatMap((id) => {
    const limit = limitOf(tree, id);
    return limit === null ? [] : [{ seconds: run.active_seconds + limit - usedBy(tree, id), of: id }];
  });
  const own = limitOf(tree, run.run_id);
  const all: Deadline[] = own === null ? limits : [{ seconds: own, of: null }, ...limits];
  const [first] = all.sort((a, b) => a.seconds - b.seconds);
  return first === undefined ? null : { ...first, seconds: Math.max(0, round(first.seconds)) };
}

/** Whether the time of a run is over; for one that goes on after it waited for others. */
export function isOverdue(tree: ConversationTree, run: RunRow): boolean {
  const deadline = deadlineOf(tree, run);
  return deadline !== null && usedBy(tree, run.run_id) >= deadline.seconds;
}

/** Whose limit it was that passed. */
export function deadlineWords(tree: ConversationTree, run: RunRow): string {
  const { seconds, of } = run.deadline ?? deadlineOf(tree, run) ?? { seconds: null, of: null };
  const owner = of === null ? undefined : tree.runs.get(of);
  if (owner === undefined) return `Its time limit${seconds === null ? '' : ` of ${seconds} s`} passed.`;
  const name = owner.lead ? 'the lead' : `${owner.tag} ${taskName(owner, 60)}`;
  return `The time limit of ${limitOf(tree, owner.run_id) ?? seconds} s of ${name} passed, and bounds what runs below it.`;
}

function limitOf(tree: ConversationTree, runId: string): number | null {
  return tree.facts.get(runId)?.task.limits.timeout_seconds ?? null;
}

/** Seconds that count against the limit of a run: its own, and those of the sets that it has waited for. */
export function usedBy(tree: ConversationTree, runId: string): number {
  const waited = (tree.childSets.get(runId) ?? []).flatMap((id) => tree.sets.get(id) ?? []).filter(({ wait }) => wait);
  const own = tree.runs.get(runId)?.active_seconds ?? 0;
  return waited.reduce((sum, set) => sum + timeOf(tree, set), own);
}

/** How long a set has taken at least: its longest slot, or all of them by so many at once. */
function timeOf(tree: ConversationTree, set: SetRow): number {
  const slots = slotRuns(tree, set.delegation_id).map((run) =>
    [run, ...earlierRuns(tree, run)].reduce((sum, { run_id }) => sum + usedBy(tree, run_id), 0),
  );
  const all = slots.reduce((sum, seconds) => sum + seconds, 0);
  return Math.max(all / set.max_concurrent, ...slots, 0);
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
