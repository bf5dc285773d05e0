import { isEnded, isSteerable, queuesForPlace } from '../protocol/lifecycle.ts';
import type { CoreFrame } from '../protocol/frames.ts';
import { isOutside, type RunRow, type SetRow } from '../protocol/rows.ts';
import { deadlineOf } from './deadlines.ts';
import { sendHeldAnswers } from './ask-answers.ts';
import { takeHold, tellLimits, type Allowance } from './holds.ts';
import { askPlaceAgain, moveRun } from './move.ts';
import { tellResume } from './pause-frames.ts';
import type { Step } from './step.ts';
import {
  callKey,
  type CallRecord,
  callsOf,
  endsAfterAnswer,
  hasOpenCall,
  hasResultsToCome,
  openDeliveries,
  openNotices,
  openSteers,
  successorOf,
} from './tree.ts';

/** The run goes on as soon as it has a place again; until then it is handed nothing (R1, R9). */
function waitsForPlace(run: RunRow): boolean {
  return run.state === 'waiting' && (queuesForPlace(run.reason) || run.reason === 'paused');
}

/** Answers a call of a run, once (P7). The parent gets a place again before it goes on (R1). */
export function decideCallAnswer(step: Step, call: CallRecord, answer: { is_error: boolean; text: string }): void {
  const { run_id, call_id } = call;
  step.emit({ type: 'call_answered', v: 1, run_id, call_id, ...answer });
  const run = step.tree.runs.get(run_id);
  if (run !== undefined && isOutside(run)) return answerOutside(step, run, call_id);
  const onlyWaited = run?.state === 'waiting' && run.reason === 'children';
  if (onlyWaited && !hasOpenCall(step.tree, run_id)) {
    step.tree.memory.unsent.add(callKey(run_id, call_id));
    askPlaceAgain(step, run_id);
  } else decideAnswerAgain(step, run_id, call_id);
}

/** A client outside holds no place and needs none to hear an answer. */
function answerOutside(step: Step, run: RunRow, callId: string): void {
  if (run.reason === 'children' && !hasOpenCall(step.tree, run.run_id)) moveRun(step, run.run_id, 'waiting', 'user');
  decideAnswerAgain(step, run.run_id, callId);
}

/** Hands the answer of a call to its run, or keeps it until the run has its place back. One that is being stopped hears nothing more. */
export function decideAnswerAgain(step: Step, runId: string, callId: string): void {
  const run = step.tree.runs.get(runId);
  const call = step.tree.calls.get(callKey(runId, callId));
  if (run === undefined || !call?.answer || !isSteerable(run.state)) return;
  if (waitsForPlace(run)) step.tree.memory.unsent.add(callKey(runId, callId));
  else sendAnswer(step, call);
}

function sendAnswer(step: Step, call: CallRecord): void {
  step.tree.memory.unsent.delete(callKey(call.run_id, call.call_id));
  step.effect({ type: 'send', run_id: call.run_id, frame: callResult(step, call) });
}

function callResult(step: Step, call: CallRecord): CoreFrame {
  const { call_id, answer, delegation_id } = call;
  const set = delegation_id === null ? undefined : step.tree.sets.get(delegation_id);
  return {
    type: 'call_result',
    call_id,
    is_error: answer?.is_error ?? false,
    text: answer?.text ?? '',
    background: set !== undefined && !set.wait ? set.delegation_id : null,
    ...closedBy(step, call),
    display:
      set === undefined
        ? null
        : { type: 'delegation', delegation_id: set.delegation_id, set: set.set, count: set.count },
  };
}

/** The delegations whose results this answer holds: no message comes of them any more. */
function closedBy({ tree }: Step, { run_id, arguments: args, answer }: CallRecord): { closes?: string[] } {
  const { action, delegation_id } = (args ?? {}) as { action?: unknown; delegation_id?: unknown };
  if (action !== 'wait' || answer === null || answer.is_error) return {};
  if (typeof delegation_id === 'string') return { closes: [delegation_id] };
  return { closes: (tree.childSets.get(run_id) ?? []).filter((id) => tree.sets.get(id)?.ended_at != null) };
}

/**
 * Queues a set's result for its owner; it becomes a turn of its own, never part of a running one (P2). A run that waits for no message of this set, because
 * it has its first result or goes on for the one that began it, would end without a turn for it: it hears of it at its next safe boundary.
 */
export function decideDelivery(step: Step, set: SetRow, text: string): void {
  const parent = set.parent_run_id === null ? undefined : step.tree.runs.get(set.parent_run_id);
  const owner = parent && successorOf(step.tree, parent);
  // What comes too late for a run is kept for nobody; a lead may be continued (T1).
  if (owner === undefined || (isEnded(owner.state) && !owner.lead)) return;
  const isAwaited = owner.lead || (owner.run_id === set.parent_run_id && set.revision === 0);
  step.emit({
    type: 'delivery_queued',
    v: 1,
    kind: isAwaited ? 'result' : 'notice',
    delivery_id: step.context.newId('dlv'),
    conversation_id: set.conversation_id,
    delegation_id: set.delegation_id,
    to_run_id: owner.run_id,
    text,
  });
  if (isAwaited) wakeForMessages(step, owner.run_id);
  else sendNotices(step, owner);
}

/** Sends the news that a worker may not know of yet; it takes each once, and says when it has. */
export function sendNotices(step: Step, { run_id }: RunRow): void {
  for (const { delivery_id, text } of openNotices(step.tree, run_id)) {
    step.effect({ type: 'send', run_id, frame: { type: 'notice', notice_id: delivery_id, text } });
  }
}

/** Whether the run waits for its next message, as far as its state tells: not for a tool, a person or a place, nor held by a pause. */
function awaitsMessage(step: Step, run: RunRow): boolean {
  if (run.paused || run.state !== 'waiting' || (run.reason !== 'user' && run.reason !== 'children')) return false;
  return !hasOpenCall(step.tree, run.run_id);
}

/**
 * Lets a run that waits for its next message go on if there is one; tells whether it does. A run in the middle of a turn hears of it
 * when it next waits; one without a worker gets a new attempt.
 */
export function wakeForMessages(step: Step, runId: string): boolean {
  const run = step.tree.runs.get(runId);
  if (run === undefined || isOutside(run) || !awaitsMessage(step, run) || pendingMessages(step, run).length === 0)
    return false;
  askPlaceAgain(step, runId);
  return true;
}

interface PendingMessage {
  readonly id: string;
  readonly text: string;
  readonly origin: 'message' | 'completion';
  readonly delegation_id: string | null;
  /** It reaches the run only as a message, never as a steer. */
  readonly only: boolean;
}

/** Completions first, in the order of their sets' ends, then what people sent. */
function pendingMessages({ tree }: Step, run: RunRow): PendingMessage[] {
  const completions = openDeliveries(tree, run.run_id).map(({ delivery_id: id, text, delegation_id }) => {
    return { id, text, delegation_id, origin: 'completion' as const, only: true };
  });
  const messages = openSteers(tree, run.run_id).map(({ steer_id: id, text, mode }) => {
    return { id, text, delegation_id: null, origin: 'message' as const, only: run.lead && mode === 'follow_up' };
  });
  return [...completions, ...messages];
}

/** A run that waited has its place again: hands over what it waited for (R1, P2). */
export function decidePlaceBack(step: Step, runId: string, allowed: Allowance): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || run.state !== 'waiting') return;
  // Its worker ended meanwhile, perhaps with an earlier core: a new attempt goes on with the stored session.
  const attempt = step.tree.facts.get(runId)?.attempt_id;
  if (attempt == null) return startAttempt(step, runId, allowed);
  moveRun(step, runId, 'running');
  takeHold(step, runId, attempt, allowed);
  tellLimits(step, runId, allowed.note);
  tellResume(step, runId);
  handOver(step, runId);
}

/** Sends a run the answers of its calls and asks; if it is in no turn, its next message. */
export function handOver(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  const { unsent } = step.tree.memory;
  const answered = callsOf(step.tree, runId).filter(({ call_id }) => unsent.has(callKey(runId, call_id)));
  for (const call of answered) sendAnswer(step, call);
  const heard = sendHeldAnswers(step, runId);
  if (run !== undefined && answered.length === 0 && heard === 0) offer(step, run, pendingMessages(step, run)[0]);
}

/** Sends a message. The worker takes each once, when it next waits for one; until it says so the message may be sent again. */
function offer(step: Step, run: RunRow, message: PendingMessage | undefined): void {
  if (message === undefined) return;
  const { id: message_id, text, origin, delegation_id } = message;
  const { run_id } = run;
  step.tree.memory.offered.set(run_id, message_id);
  step.effect({ type: 'send', run_id, frame: { type: 'message', message_id, text, origin, delegation_id } });
}

/** Whether a message is on its way to a run that has told of its wait before the message could reach it. */
export function isOffered(step: Step, runId: string): boolean {
  return step.tree.memory.offered.has(runId);
}

/**
 * Sends again, to a worker that is back after a cut, the message that it may not have got. After a restart nobody knows which that was:
 * then it is the next one that cannot reach it in another way.
 */
export function offerAgain(step: Step, run: RunRow): void {
  const pending = pendingMessages(step, run);
  const offered = step.tree.memory.offered.get(run.run_id);
  offer(
    step,
    run,
    pending.find(({ id, only }) => (offered === undefined ? only : id === offered)),
  );
}

/** Lets a lead end that was to end after its answer, or was let go, when nothing is left to come (T1, `espalier prompt`). */
export function finishIfDone(step: Step, run: RunRow): void {
  if (!run.lead || !endsAfterAnswer(step.tree, run.run_id) || hasResultsToCome(step.tree, run.run_id)) return;
  step.effect({ type: 'send', run_id: run.run_id, frame: { type: 'finish' } });
}

/** Prices are pinned at the first start of a run (R6). */
function pricesOf({ tree, context }: Step, { run_id, runner, prices }: RunRow): Pick<RunRow, 'prices'> {
  const task = tree.facts.get(run_id)?.task;
  if (runner !== 'builtin' || prices !== undefined || task === undefined) return {};
  const models = [task.model, ...task.fallback_models].filter((model) => model !== null);
  return models.length === 0 ? {} : { prices: Object.fromEntries(models.map((ref) => [ref, context.priceOf(ref)])) };
}

/** Begins the next attempt of a run that is queued or waits without a worker. */
export function startAttempt(step: Step, runId: string, allowed: Allowance): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || !moveRun(step, runId, 'starting')) return;
  const attempt_id = step.context.newId('att');
  const first_entry = run.attempts === 0 ? 0 : step.context.entryCount(runId);
  const deadline = deadlineOf(step.tree, run);
  step.emit({
    type: 'attempt_started',
    v: 1,
    run_id: runId,
    attempt_id,
    n: run.attempts + 1,
    first_entry,
    deadline,
    ...pricesOf(step, run),
  });
  takeHold(step, runId, attempt_id, allowed);
  step.effect({ type: 'start_attempt', run_id: runId, attempt_id });
}
