import { isEnded } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { Closing, KnownEnd } from '../runs/closing.ts';
import { verdictOf, type Ending } from './ending.ts';
import { isPlaced, moveRun } from './move.ts';
import type { Step } from './step.ts';
import { settleAsks } from './stopping.ts';
import type { RunFacts } from './tree.ts';

/**
 * Lets a run close before it ends, when something of it is still to be looked at: verify commands, if it would be completed (T4), and its worktree
 * (W3). Tells whether it does. The first end that was seen is the one that counts (T7).
 */
export function beginClosing(step: Step, { run_id, known, attempt, closed }: Ending): boolean {
  const run = step.tree.runs.get(run_id);
  const facts = step.tree.facts.get(run_id);
  if (run === undefined || facts === undefined || isEnded(run.state) || closed !== undefined) return false;
  if (facts.closing !== null) return true;
  const verifies = isVerified(run, facts, known);
  if (facts.worktree === null && !verifies) return false;
  // The stop came after its last word, but what it was to show had not been checked.
  const stopped = known.stopped === true || (verifies && run.stop_asked === true);
  close(step, run_id, { known: { ...known, stopped }, attempt, acceptance: verifies && !stopped ? 'asked' : null });
  return true;
}

function isVerified(run: RunRow, facts: RunFacts, known: KnownEnd): boolean {
  return facts.task.acceptance !== null && verdictOf(run, facts, known).outcome === 'completed';
}

function close(step: Step, run_id: string, closing: Closing): void {
  settleAsks(step, run_id);
  const progress = step.tree.facts.get(run_id)?.report?.progress;
  if (progress !== undefined) step.emit({ type: 'run_progressed', v: 1, run_id, progress });
  // What it has used is known: others need not wait for what it will not use (R5).
  if (step.tree.holds.has(run_id)) step.emit({ type: 'hold_released', v: 1, run_id });
  // One that queues for a place to go on goes on no more (R1).
  const run = step.tree.runs.get(run_id);
  if (run !== undefined && !isPlaced(run)) step.effect({ type: 'give_place', run_id });
  if (closing.known.stopped === true) moveRun(step, run_id, 'stopping');
  step.closing(run_id, closing);
  step.effect({ type: 'close_run', run_id });
}
