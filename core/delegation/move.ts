import { holdsPlace, mayMove, type RunState, type WaitReason } from '../protocol/lifecycle.ts';
import { isOutside, type RunRow } from '../protocol/rows.ts';
import type { Step } from './step.ts';

/** Whether the run holds a place of the caps (R1): by its state, unless it came to that without one. */
export function isPlaced(run: RunRow): boolean {
  return !isOutside(run) && holdsPlace(run.state, run.reason) && run.placeless !== true;
}

/**
 * Moves a run if the lifecycle table allows it and something changes; tells whether it moved. A move that the table
 * forbids comes from a late or doubled message and changes nothing (T7).
 */
export function moveRun(
  step: Step,
  runId: string,
  to: Exclude<RunState, 'ended'>,
  reason: WaitReason | null = null,
  until: number | null = null,
): boolean {
  const run = step.tree.runs.get(runId);
  if (run === undefined) return false;
  const sameState = run.state === to;
  if (sameState && run.reason === reason && run.until === until) return false;
  if (!sameState && !mayMove(run.state, to)) return false;
  const placeless = comesWithout(run, to, reason) ? { placeless: true } : {};
  // Who only waits holds no money either (R5).
  if (!holdsPlace(to, reason) && step.tree.holds.has(runId)) step.emit({ type: 'hold_released', v: 1, run_id: runId });
  step.emit({ type: 'run_moved', v: 1, run_id: runId, from: run.state as RunState, to, reason, until, ...placeless });
  return true;
}

/** One that only waited may be stopped, or come to wait for a person: no place comes with that. */
function comesWithout(run: RunRow, to: RunState, reason: WaitReason | null): boolean {
  return (to === 'waiting' || to === 'stopping') && holdsPlace(to, reason) && !isPlaced(run);
}

/** Lets a run that waits without a place queue for one, before the others of its group (R1); a paused one waits for its end (R9). */
export function askPlaceAgain(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  // A client outside needs no place: it works on its own machine time.
  if (run !== undefined && isOutside(run)) return void moveRun(step, runId, 'waiting', 'user');
  if (run?.paused === true) return void moveRun(step, runId, 'waiting', 'paused');
  moveRun(step, runId, 'waiting', 'concurrency');
  step.effect({ type: 'ask_place', run_id: runId, head: true });
}
