import { err, ok, type Result } from '../kit/result.ts';
import type { Batch, Task } from '../protocol/batch.ts';
import type { ApiError } from '../protocol/errors.ts';
import type { WorkerEvent } from '../protocol/frames.ts';
import { isLive, isSteerable } from '../protocol/lifecycle.ts';
import { isOutside, type RunRow } from '../protocol/rows.ts';
import { agentRefusal, under } from './ceilings.ts';
import { decideAnswer } from './decide-ask.ts';
import { keepsSession } from './decide-continue.ts';
import { decideAnswerAgain, decideCallAnswer } from './decide-delivery.ts';
import { decideDispatch } from './decide-dispatch.ts';
import { decideSteer, unknownRun } from './decide-steer.ts';
import { decideStop } from './decide-stop.ts';
import { decideWait } from './decide-wait.ts';
import { taskName } from './lines/set-lines.ts';
import { moveRun } from './move.ts';
import type { Step } from './step.ts';
import { isAtWork } from './stopping.ts';
import { asksOf, callKey, callsOf, runsInSlots, slotRuns, type CallRecord, type ConversationTree } from './tree.ts';

/** A call as its worker tells it. */
type WorkerCall = Omit<Extract<WorkerEvent, { type: 'call' }>, 'type'>;

/** Stores a call of a run to the core; the same id again is answered again and never carried out twice (P7). */
export function decideCall(step: Step, runId: string, call: WorkerCall): void {
  const { call_id: callId, tool, arguments: args, context_chars } = call;
  const known = step.tree.calls.get(callKey(runId, callId));
  if (known !== undefined) return decideAnswerAgain(step, runId, callId);
  step.emit({
    type: 'call_opened',
    v: 1,
    run_id: runId,
    call_id: callId,
    tool,
    arguments: args ?? null,
    context_chars,
    turn: step.tree.runs.get(runId)?.turns,
  });
  step.effect({ type: 'take_up_call', run_id: runId, call_id: callId });
}

/** Why a delegation is refused, or null when there is room for it (R2, R3). A refused call charges nothing. */
function refusal(step: Step, run: RunRow, call: CallRecord, tasks: readonly Task[]): string | null {
  const { limits } = step.context;
  const count = tasks.length;
  if (run.depth >= limits.maxDepth) {
    return `Delegation refused: this run is at depth ${run.depth} and the depth cap is ${limits.maxDepth} (setting limits.maxDepth). Do the work yourself.`;
  }
  const used = step.tree.fanOut.get(run.root_run_id) ?? 0;
  if (used + count > limits.fanOut) {
    return `Delegation refused: ${used} of ${limits.fanOut} runs are used below ${run.root_run_id} (setting limits.fanOut), and this set needs ${count}. Nothing was started. Delegate less, or do the work yourself.`;
  }
  const refused = agentRefusal(step, run, tasks);
  if (refused !== null) return refused;
  const usedNow = startedInTurn(step.tree, call);
  if (usedNow + count > limits.fanOutPerTurn) {
    return `Delegation refused: ${usedNow} runs were started in this turn, the cap is ${limits.fanOutPerTurn} (setting limits.fanOutPerTurn), and this set needs ${count}. Nothing was started.`;
  }
  return null;
}

/** Runs that a run has started in the turn of a call; what a person added to their sets counts for nobody (R3). */
function startedInTurn(tree: ConversationTree, { run_id, turn }: CallRecord): number {
  return callsOf(tree, run_id)
    .flatMap((call) => (call.turn === turn && call.delegation_id !== null ? slotRuns(tree, call.delegation_id) : []))
    .filter(({ added }) => !added).length;
}

/** Carries out a delegation that was validated: a set below the calling run, or a refusal that the model can read. */
export function decideSpawn(step: Step, runId: string, callId: string, batch: Batch, asked: boolean): void {
  const run = step.tree.runs.get(runId);
  const call = step.tree.calls.get(callKey(runId, callId));
  if (run === undefined || call === undefined || call.answer !== null || call.delegation_id !== null) return;
  if (!isAtWork(step.tree, run))
    return decideCallAnswer(step, call, { is_error: true, text: 'This run is being ended.' });
  const refused = refusal(step, run, call, batch.tasks);
  if (refused !== null) return decideCallAnswer(step, call, { is_error: true, text: refused });
  const tasks = batch.tasks.map((task) => under(step, run, task));
  const wait = asked || !hearsLater(step, run);
  const answer = decideDispatch(step, run.project_id, { ...batch, tasks }, { type: 'run', run, call_id: callId, wait });
  if (wait && !asked) return waitInstead(step, runId);
  if (wait) return;
  const later = isOutside(run)
    ? `Its result does not come by itself: get it with {"action": "wait", "delegation_id": "${answer.delegation_id}"}.`
    : 'You are told when all of it has ended; go on with other work meanwhile, or end your turn to wait.';
  const note = `Running in the background as set ${answer.set}. ${later}`;
  decideCallAnswer(step, call, { is_error: false, text: JSON.stringify({ ...answer, note }) });
}

/** Whether results can reach the run after its present turn (P6). */
function hearsLater({ context }: Step, run: RunRow): boolean {
  const agent = context.agents.get(run.agent);
  return agent === undefined || keepsSession(agent);
}

/** It did not mean to wait and so does not say that it does: it gives its place back like all that do (R1). With the result it is told why. */
function waitInstead(step: Step, runId: string): void {
  if (moveRun(step, runId, 'waiting', 'children')) step.effect({ type: 'give_place', run_id: runId });
}

/** Answers a call with an error; nothing was started. */
export function decideCallRefused(step: Step, runId: string, callId: string, text: string): void {
  const call = step.tree.calls.get(callKey(runId, callId));
  if (call !== undefined && call.answer === null) decideCallAnswer(step, call, { is_error: true, text });
}

function isBelow(tree: ConversationTree, runId: string, ancestor: string): boolean {
  const parent = tree.runs.get(runId)?.parent_run_id ?? null;
  return parent !== null && (parent === ancestor || isBelow(tree, parent, ancestor));
}

/** The control actions of a run on its own descendants (C1). */
export type ControlAction =
  | { readonly action: 'list' }
  | { readonly action: 'wait'; readonly delegation_id: string | null }
  | { readonly action: 'steer' | 'answer'; readonly run_id: string; readonly message: string }
  | { readonly action: 'stop'; readonly run_id: string };

/** Carries out a control action; a foreign and an unknown id get the same error (C1, case 32). */
export function decideControl(step: Step, call: CallRecord, control: ControlAction): void {
  const answer = (text: string, is_error = false): void => decideCallAnswer(step, call, { is_error, text });
  if (control.action === 'list') return answer(JSON.stringify(listBelow(step, call.run_id)));
  if (control.action === 'wait') return decideWait(step, call, control.delegation_id);
  if (!isBelow(step.tree, control.run_id, call.run_id)) return answer(unknownRun(control.run_id).message, true);
  if (control.action === 'steer') {
    const steered = decideSteer(step, control.run_id, 'steer', control.message);
    if (!steered.ok) return answer(steered.error.message, true);
    return answer(JSON.stringify({ action: 'steer', run_id: control.run_id, status: steered.value.state }));
  }
  if (control.action === 'answer') {
    const answered = answerBelow(step, call.run_id, control.run_id, control.message);
    return answer(answered.ok ? JSON.stringify(answered.value) : answered.error.message, !answered.ok);
  }
  const stopped = decideStop(step, [control.run_id]);
  answer(JSON.stringify({ action: 'stop', run_id: control.run_id, stopping: stopped }));
}

/** A parent answers the oldest open question of a run below it; a permission only people can give (C1). */
function answerBelow(step: Step, parentId: string, runId: string, text: string): Result<object, ApiError> {
  const open = asksOf(step.tree, runId).filter(({ row }) => row.state === 'open');
  const question = open.find(({ row }) => row.kind === 'question');
  if (question === undefined) {
    const message =
      open.length > 0 ? 'It waits for a permission, which only a person can give.' : 'It has asked nothing.';
    return err({ code: 'not_allowed', message });
  }
  const by = step.tree.runs.get(parentId)?.tag || 'the lead';
  const answered = decideAnswer(step, question.row.ask_id, { choice: 'text', note: text, by });
  return answered.ok ? ok({ action: 'answer', run_id: runId, question: question.row.title }) : answered;
}

/** The oldest question that a run has open. */
function questionOf(tree: ConversationTree, runId: string): string | null {
  const asked = asksOf(tree, runId).find(({ row }) => row.state === 'open' && row.kind === 'question');
  return asked?.row.title ?? null;
}

/** Active seconds until now, to a tenth. */
function activeSeconds({ active_seconds, active_since }: RunRow, now: number): number {
  const open = active_since === null ? 0 : Math.max(0, now - active_since) / 1000;
  return Math.round((active_seconds + open) * 10) / 10;
}

function listBelow(step: Step, runId: string): { count: number; runs: unknown[]; note?: string } {
  const toLook = isOutside(step.tree.runs.get(runId) ?? { runner: '' });
  const rows = (id: string): RunRow[] =>
    (step.tree.childSets.get(id) ?? [])
      .flatMap((setId) => runsInSlots(step.tree, setId))
      .flatMap((run) => [run, ...rows(run.run_id)]);
  const live = rows(runId).filter((run) => isLive(run.state));
  const runs = live.map((run) => ({
    run_id: run.run_id,
    parent_run_id: run.parent_run_id,
    set: run.set,
    task_index: run.task_index,
    label: taskName(run, 60),
    agent: run.agent,
    model: run.model,
    state: run.state,
    ...(run.reason === null ? {} : { reason: run.reason }),
    ...(run.reason === 'question' ? { question: questionOf(step.tree, run.run_id) } : {}),
    running_seconds: activeSeconds(run, step.context.now),
    turns: run.turns,
    cost_usd: run.cost_usd,
    accepting_steer: isSteerable(run.state) && run.runner !== 'command',
    last_activity: run.activity,
    transcript: run.run_id,
  }));
  return {
    count: runs.length,
    runs,
    ...(runs.length === 0
      ? {
          note: `No run below this one is live. ${toLook ? 'The action wait returns' : 'Messages bring'} results that you do not have yet.`,
        }
      : {}),
  };
}
