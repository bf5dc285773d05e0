import { isEnded } from '../protocol/lifecycle.ts';
import type { WorkerEvent } from '../protocol/frames.ts';
import type { RunRow } from '../protocol/rows.ts';
import { decideAsk, decideAskClosed } from './decide-ask.ts';
import { wakeForMessages } from './decide-delivery.ts';
import { moveRun } from './move.ts';
import type { Step } from './step.ts';

/** The events of a worker that are decided upon; transcript events are stored as they are, calls have their own decision. */
export type DecidedWorkerEvent = Extract<
  WorkerEvent,
  { type: 'state' | 'progress' | 'activity' | 'ask' | 'ask_closed' | 'steer' | 'answered' | 'processes' | 'ended' }
>;

/** Takes in what a worker tells of its run. Late words of a run that has ended change nothing (T7). */
export function decideWorkerEvent(step: Step, runId: string, event: DecidedWorkerEvent): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || isEnded(run.state)) return;
  switch (event.type) {
    case 'state':
      return workerState(step, run, event);
    case 'progress':
      return step.emit({ type: 'run_progressed', v: 1, run_id: runId, progress: event.progress });
    case 'activity':
      return step.activity(runId, event.text);
    case 'ask':
      return decideAsk(step, run, event);
    case 'ask_closed':
      return decideAskClosed(step, run, event.key);
    case 'steer':
      return messageMoved(step, run, event.steer_id, event.state);
    case 'answered':
      step.session(runId, event.session);
      return answered(step, run);
    case 'ended':
      step.report(runId, event.report, event.session);
      return step.effect({ type: 'release_attempt', run_id: runId });
    case 'processes':
      return;
  }
}

function workerState(step: Step, run: RunRow, event: Extract<WorkerEvent, { type: 'state' }>): void {
  if (event.state === 'running') {
    // A place that was given back is asked for again by the core itself; the worker cannot take it (R1).
    if (run.state === 'waiting' && run.reason === 'concurrency') return;
    moveRun(step, run.run_id, 'running');
    return;
  }
  if (!moveRun(step, run.run_id, 'waiting', event.reason, event.until)) return;
  if (event.reason !== 'children' && event.reason !== 'user') return;
  step.effect({ type: 'give_place', run_id: run.run_id });
  wakeForMessages(step, run.run_id);
}

/** A lead has answered: it waits for its user, or ends when nothing is left to come. */
function answered(step: Step, run: RunRow): void {
  if (!run.lead) return;
  moveRun(step, run.run_id, 'waiting', 'user');
  step.effect({ type: 'give_place', run_id: run.run_id });
  wakeForMessages(step, run.run_id);
  const still = step.tree.runs.get(run.run_id);
  const open = (step.tree.childSets.get(run.run_id) ?? []).some((id) => step.tree.sets.get(id)?.ended_at === null);
  const once = step.tree.facts.get(run.run_id)?.once === true;
  if (once && !open && still?.reason === 'user') {
    step.effect({ type: 'send', run_id: run.run_id, frame: { type: 'finish' } });
  }
}

function messageMoved(step: Step, run: RunRow, id: string, state: 'queued' | 'delivered' | 'handed_over'): void {
  const steer = step.tree.steers.get(id);
  if (steer !== undefined && steer.run_id === run.run_id) {
    const settled = steer.state === 'delivered' || steer.state === 'handed_over' || steer.state === 'missed';
    if (!settled && steer.state !== state) step.emit({ type: 'steer_moved', v: 1, steer_id: id, state });
    return;
  }
  const delivery = step.tree.deliveries.get(id);
  if (delivery === undefined || delivery.done || delivery.to_run_id !== run.run_id || state === 'queued') return;
  step.emit({ type: 'delivery_done', v: 1, delivery_id: id, by_run_id: run.run_id });
}
