import { mayMove, type RunState, type WaitReason } from '../protocol/lifecycle.ts';
import type { Step } from './step.ts';

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
  step.emit({ type: 'run_moved', v: 1, run_id: runId, from: run.state as RunState, to, reason, until });
  return true;
}

/** Lets a run that waits without a place queue for one, before the others of its group (R1). */
export function askPlaceAgain(step: Step, runId: string): void {
  moveRun(step, runId, 'waiting', 'concurrency');
  step.effect({ type: 'ask_place', run_id: runId, head: true });
}
