import { hasAttempt, isEnded, isSteerable } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';
import { isPlaced, moveRun } from './move.ts';
import { runsFrom } from './spent.ts';
import type { Step } from './step.ts';
import { asksOf, isFinishing, runsInSlots, type ConversationTree, type RunFacts } from './tree.ts';

/** A run and everything below it, children before parents. */
export function withDescendants(tree: ConversationTree, runId: string): string[] {
  return [...below(tree, runId), runId];
}

/** Everything below a run, children before parents. */
export function below(tree: ConversationTree, runId: string): string[] {
  const children = (tree.childSets.get(runId) ?? []).flatMap((setId) => runsInSlots(tree, setId));
  return children.flatMap((child) => withDescendants(tree, child.run_id));
}

/** Whether a run, or one above it, is being ended: what would be started below it ends with that (C3). */
export function isEndingFrom(tree: ConversationTree, runId: string | null): boolean {
  return runsFrom(tree, runId).some((id) => {
    const state = tree.runs.get(id)?.state ?? 'ended';
    return !isEnded(state) && (!isSteerable(state) || isFinishing(tree, id));
  });
}

/** Whether a run may have others started below it: it has not ended, and neither it nor one above it is being ended. */
export function isAtWork(tree: ConversationTree, run: RunRow): boolean {
  return isSteerable(run.state) && !isEndingFrom(tree, run.run_id);
}

/** Whether the run has a worker whose end must be proved before the run may end. */
function needsProof(step: Step, run: RunRow): boolean {
  const facts = step.tree.facts.get(run.run_id);
  return hasAttempt(run.state) && (facts?.attempt_id !== null || facts.closing !== null);
}

/**
 * Tells the workers of these runs to stop, and returns the runs that have none: those end at once (C3). All are marked before
 * anything ends, so that nothing goes on when a parent hears of its child. A run whose last word is stored already has ended by itself; only
 * the end of its process is waited for (T7: first terminal write wins). But while its verify commands run it can be stopped.
 */
export function markStopping(step: Step, runIds: readonly string[]): string[] {
  const open = runIds.flatMap((id) => step.tree.runs.get(id) ?? []).filter((run) => !isEnded(run.state));
  const working = open.filter((run) => needsProof(step, run));
  for (const run of working) {
    if (hasEnded(step.tree.facts.get(run.run_id))) step.stopAsked(run.run_id);
    else stop(step, run);
  }
  const known = new Set(working.map((run) => run.run_id));
  return open.map((run) => run.run_id).filter((id) => !known.has(id));
}

function stop(step: Step, run: RunRow): void {
  const { run_id } = run;
  const hasPlace = isPlaced(run);
  if (!moveRun(step, run_id, 'stopping')) return;
  stopClosing(step, run_id);
  settleAsks(step, run_id);
  // One that had given its place back queues for none any more.
  if (!hasPlace) step.effect({ type: 'give_place', run_id });
  step.effect({ type: 'stop_attempt', run_id, reason: 'stop' });
}

/** Its work is over, and what became of it is known. */
function hasEnded(facts: RunFacts | undefined): boolean {
  if (facts?.closing != null) return facts.closing.acceptance !== 'asked';
  return facts?.report != null;
}

/** A run that is stopped while its verify commands run was stopped, also after a crash. */
function stopClosing(step: Step, runId: string): void {
  const closing = step.tree.facts.get(runId)?.closing;
  if (closing != null) step.closing(runId, { ...closing, known: { ...closing.known, stopped: true } });
}

/** Nobody need answer any more what a run has asked (A2). */
export function settleAsks(step: Step, runId: string): void {
  for (const { row } of asksOf(step.tree, runId)) {
    if (row.state !== 'open') continue;
    step.emit({ type: 'ask_settled', v: 1, ask_id: row.ask_id, state: 'closed', choice: null, note: null, by: null });
  }
}
