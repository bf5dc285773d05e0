import { isEnded } from '../protocol/lifecycle.ts';
import type { CoreFrame } from '../protocol/frames.ts';
import type { RunRow, SetRow } from '../protocol/rows.ts';
import { moveRun } from './move.ts';
import type { Step } from './step.ts';
import { callKey, type CallRecord } from './tree.ts';

/** Answers a call of a run, once (P7). The parent gets a place again before it goes on (R1). */
export function decideCallAnswer(step: Step, call: CallRecord, answer: { is_error: boolean; text: string }): void {
  const { run_id, call_id } = call;
  step.emit({ type: 'call_answered', v: 1, run_id, call_id, ...answer });
  const run = step.tree.runs.get(run_id);
  if (run === undefined || isEnded(run.state)) return;
  const openCalls = [...step.tree.calls.values()].some((other) => other.run_id === run_id && other.answer === null);
  const gaveItsPlace = run.state === 'waiting' && run.reason === 'children';
  if (gaveItsPlace && !openCalls) {
    moveRun(step, run_id, 'waiting', 'concurrency');
    step.effect({ type: 'ask_place', run_id, head: true });
    return;
  }
  if (!(run.state === 'waiting' && run.reason === 'concurrency')) sendAnswer(step, call);
}

/** Hands the answer of a call to the run's worker. */
function sendAnswer(step: Step, call: CallRecord): void {
  const key = callKey(call.run_id, call.call_id);
  const known = step.tree.calls.get(key) ?? call;
  step.tree.calls.set(key, { ...known, sent: true });
  step.effect(callResult(step, known));
}

function callResult(step: Step, known: CallRecord): { type: 'send'; run_id: string; frame: CoreFrame } {
  const set = known.delegation_id === null ? undefined : step.tree.sets.get(known.delegation_id);
  return {
    type: 'send',
    run_id: known.run_id,
    frame: {
      type: 'call_result',
      call_id: known.call_id,
      is_error: known.answer?.is_error ?? false,
      text: known.answer?.text ?? '',
      background: set !== undefined && !set.wait ? set.delegation_id : null,
      display:
        set === undefined
          ? null
          : { type: 'delegation', delegation_id: set.delegation_id, set: set.set, count: set.count },
    },
  };
}

/** Answers again the calls that a worker, back after a cut, still waits for (P7). */
export function resendCallResults(step: Step, runId: string, openCalls: readonly string[]): void {
  for (const callId of openCalls) {
    const call = step.tree.calls.get(callKey(runId, callId));
    if (call?.answer) sendAnswer(step, call);
  }
}

/** Queues a set's result for its owner; it becomes a turn of its own, never part of a running one (P2). */
export function decideDelivery(step: Step, set: SetRow, text: string): void {
  if (set.parent_run_id === null) return;
  step.emit({
    type: 'delivery_queued',
    v: 1,
    delivery_id: step.context.newId('dlv', 12),
    conversation_id: set.conversation_id,
    delegation_id: set.delegation_id,
    to_run_id: set.parent_run_id,
    text,
  });
  wakeForMessages(step, set.parent_run_id);
}

/** Whether the run waits for a next message rather than for a tool. */
function awaitsMessage(run: RunRow): boolean {
  return run.state === 'waiting' && (run.reason === 'user' || run.reason === 'children');
}

/**
 * Lets a run that waits for its next message go on if there is one. A run in the middle of a turn hears of it when it
 * next waits; one without a worker gets a new attempt.
 */
export function wakeForMessages(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || !awaitsMessage(run) || pendingMessages(step, runId).length === 0) return;
  const waitsForCalls = [...step.tree.calls.values()].some((call) => call.run_id === runId && call.answer === null);
  if (waitsForCalls) return;
  moveRun(step, runId, 'waiting', 'concurrency');
  step.effect({ type: 'ask_place', run_id: runId, head: true });
}

interface PendingMessage {
  readonly id: string;
  readonly text: string;
  readonly origin: 'message' | 'completion';
  readonly delegation_id: string | null;
}

/** Completions first, in the order of their sets' ends, then what people sent. */
function pendingMessages(step: Step, runId: string): PendingMessage[] {
  const completions = [...step.tree.deliveries.values()]
    .filter((delivery) => delivery.to_run_id === runId && !delivery.done)
    .map(({ delivery_id, text, delegation_id }) => ({
      id: delivery_id,
      text,
      origin: 'completion' as const,
      delegation_id,
    }));
  const messages = [...step.tree.steers.values()]
    .filter((steer) => steer.run_id === runId && (steer.state === 'accepted' || steer.state === 'queued'))
    .map(({ steer_id, text }) => ({ id: steer_id, text, origin: 'message' as const, delegation_id: null }));
  return [...completions, ...messages];
}

/** A run that waited has its place again: hands over what it waited for (R1, P2). */
export function decidePlaceBack(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || run.state !== 'waiting') return;
  if (step.tree.facts.get(runId)?.attempt_id == null) {
    // Its worker ended with an earlier core: a new attempt goes on with the stored session.
    return startAttempt(step, runId);
  }
  moveRun(step, runId, 'running');
  handOver(step, runId);
}

/** Sends the answers of its calls and its next message to a run. */
export function handOver(step: Step, runId: string): void {
  const answered = [...step.tree.calls.values()].filter(
    (call) => call.run_id === runId && call.answer !== null && !call.sent,
  );
  for (const call of answered) sendAnswer(step, call);
  const [next] = pendingMessages(step, runId);
  if (next === undefined) return;
  const { id, text, origin, delegation_id } = next;
  step.effect({ type: 'send', run_id: runId, frame: { type: 'message', message_id: id, text, origin, delegation_id } });
}

/** Begins the next attempt of a run that is queued or waits for a restart. */
export function startAttempt(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || !moveRun(step, runId, 'starting')) return;
  const attempt_id = step.context.newId('att', 12);
  step.emit({ type: 'attempt_started', v: 1, run_id: runId, attempt_id, n: run.attempts + 1 });
  step.effect({ type: 'start_attempt', run_id: runId, attempt_id });
}
