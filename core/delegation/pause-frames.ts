import { queuesForPlace } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';
import { sendSteers } from './steer-frames.ts';
import type { Step } from './step.ts';

/** Tells the worker of a paused run to pause at its next safe boundary, if it is there; one that comes later is told then (R9). */
export function tellPause(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (!run?.paused || (run.state !== 'running' && run.state !== 'waiting')) return;
  step.tree.memory.toldToPause.add(runId);
  step.effect({ type: 'send', run_id: runId, frame: { type: 'pause' } });
}

/** Tells the worker of a run to go on, if it was ever told to pause: what it has heard of that nobody knows. */
export function tellResume(step: Step, runId: string): void {
  if (!step.tree.memory.toldToPause.has(runId)) return;
  const run = step.tree.runs.get(runId);
  // What was sent while its worker was away: it is back perhaps, and was not told again yet. Told twice is heard once.
  if (run !== undefined) sendSteers(step, run);
  step.effect({ type: 'send', run_id: runId, frame: { type: 'resume' } });
}

/** A worker is back after a cut or a restart of the core, and may have missed the last word on its pause. */
export function repeatPause(step: Step, run: RunRow): void {
  if (run.paused) tellPause(step, run.run_id);
  // One that queues for a place is told when it has one (R1).
  else if (run.state !== 'waiting' || !queuesForPlace(run.reason)) tellResume(step, run.run_id);
}
