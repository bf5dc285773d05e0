import { holdsPlace, isEnded, queuesForPlace } from '../protocol/lifecycle.ts';
import type { WorkerEvent } from '../protocol/frames.ts';
import type { RunRow } from '../protocol/rows.ts';
import { decideAsk, decideAskClosed } from './decide-ask.ts';
import { finishIfDone, isOffered, wakeForMessages } from './decide-delivery.ts';
import { askPlaceAgain, isPlaced, moveRun } from './move.ts';
import { totalProgress } from './progress.ts';
import type { Step } from './step.ts';
import { hasOpenCall } from './tree.ts';

/** The events of a worker that are decided upon; transcript events are stored as they are, calls have their own decision. */
export type DecidedWorkerEvent = Extract<
  WorkerEvent,
  {
    type:
      | 'state'
      | 'progress'
      | 'activity'
      | 'ask'
      | 'ask_closed'
      | 'ready'
      | 'steer'
      | 'answered'
      | 'processes'
      | 'idle'
      | 'hold'
      | 'ended';
  }
>;

/** Takes in what a worker tells of its run. Late words of a run that has ended change nothing (T7). */
export function decideWorkerEvent(step: Step, runId: string, event: DecidedWorkerEvent): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || isEnded(run.state)) return;
  step.tree.memory.idleDeaths.delete(runId);
  switch (event.type) {
    case 'state':
      return workerState(step, run, event);
    case 'progress':
      return step.emit({
        type: 'run_progressed',
        v: 1,
        run_id: runId,
        progress: totalProgress(step.tree, runId, event.progress),
      });
    case 'activity':
      return step.activity(runId, event.text);
    case 'ask':
      return decideAsk(step, run, event);
    case 'ask_closed':
      return decideAskClosed(step, run, event.key);
    case 'steer':
      return messageMoved(step, run, event.steer_id, event.state);
    case 'answered':
      return answered(step, run, event);
    case 'ended':
      return ended(step, runId, event);
    case 'idle':
      return idle(step, run, event.seconds);
    case 'processes':
    case 'hold':
    case 'ready':
      return;
  }
}

/** Nothing happens in the run, and it asks for attention; or something does again (R7). */
function idle(step: Step, { run_id }: RunRow, seconds: number | null): void {
  const since = seconds === null ? null : step.context.now - Math.round(seconds * 1000);
  step.emit({ type: 'run_idle', v: 1, run_id, since });
}

/** The worker's last word is stored; the run ends with its process (T7). */
function ended(step: Step, runId: string, { report, session }: Extract<WorkerEvent, { type: 'ended' }>): void {
  const progress = totalProgress(step.tree, runId, report.progress);
  // A runner that broke leaves none: what the run had before is still good to go on with.
  step.report(runId, { ...report, progress }, session ?? step.tree.facts.get(runId)?.session ?? null);
  step.effect({ type: 'release_attempt', run_id: runId });
}

function workerState(step: Step, run: RunRow, event: Extract<WorkerEvent, { type: 'state' }>): void {
  const { run_id } = run;
  if (event.state === 'running') return workerRuns(step, run);
  // Told before it heard that it may go on: it does so by itself.
  if (event.reason === 'paused' && !run.paused) return;
  if (event.reason === 'children' || event.reason === 'user') return workerWaits(step, run_id, event.reason);
  if (moveRun(step, run_id, 'waiting', event.reason, event.until) && !holdsPlace('waiting', event.reason)) {
    step.effect({ type: 'give_place', run_id });
  }
}

/**
 * A worker goes on that had given its place back: what it waited for reached it before its wait reached us, or another call of the same
 * turn works beside one that waits. It queues for a place like all others; the worker cannot take one (R1).
 */
function workerRuns(step: Step, run: RunRow): void {
  if (run.state !== 'waiting' || isPlaced(run)) moveRun(step, run.run_id, 'running');
  else if (!queuesForPlace(run.reason)) askPlaceAgain(step, run.run_id);
}

/** A worker that only waits, for its children or its next message, holds no place meanwhile (R1). */
function workerWaits(step: Step, runId: string, reason: 'children' | 'user'): void {
  // Told before the message that is on its way could reach it: it goes on by itself.
  if (isOffered(step, runId) && !hasOpenCall(step.tree, runId)) return;
  moveRun(step, runId, 'waiting', reason);
  const run = step.tree.runs.get(runId);
  if (run?.state !== 'waiting') return;
  step.effect({ type: 'give_place', run_id: runId });
  wakeForMessages(step, runId);
}

/** A lead has answered: it waits for its user, or ends when nothing is left to come (T1). */
function answered(step: Step, run: RunRow, { session, report }: Extract<WorkerEvent, { type: 'answered' }>): void {
  if (!run.lead) return;
  const progress = report && totalProgress(step.tree, run.run_id, report.progress);
  step.answered(run.run_id, session, report && progress ? { ...report, progress } : null);
  workerWaits(step, run.run_id, 'user');
  const now = step.tree.runs.get(run.run_id);
  if (now?.state === 'waiting' && now.reason === 'user') finishIfDone(step, now);
}

function messageMoved(step: Step, run: RunRow, id: string, state: 'queued' | 'delivered' | 'handed_over'): void {
  const steer = step.tree.steers.get(id);
  if (steer !== undefined && steer.run_id === run.run_id) {
    // What was handed over may be proved to have arrived later (C2).
    const open = steer.state === 'handed_over' ? state === 'delivered' : isOpenSteer(steer.state);
    if (open && steer.state !== state) step.emit({ type: 'steer_moved', v: 1, steer_id: id, state });
    return;
  }
  const delivery = step.tree.deliveries.get(id);
  if (delivery === undefined || delivery.done || delivery.to_run_id !== run.run_id || state === 'queued') return;
  step.emit({ type: 'delivery_done', v: 1, delivery_id: id, by_run_id: run.run_id });
}

function isOpenSteer(state: string): boolean {
  return state !== 'delivered' && state !== 'missed';
}
