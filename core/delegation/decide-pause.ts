import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from '../protocol/errors.ts';
import {
  hasAttempt,
  holdsPlace,
  isEnded,
  isSteerable,
  queuesForPlace,
  type WaitReason,
} from '../protocol/lifecycle.ts';
import { isOutside, type RunRow } from '../protocol/rows.ts';
import { wakeForMessages } from './decide-delivery.ts';
import { placeReason } from './decide-dispatch.ts';
import { unknownRun } from './decide-steer.ts';
import { gatesAround, gateWords } from './gates.ts';
import { askPlaceAgain, moveRun } from './move.ts';
import { tellPause, tellResume } from './pause-frames.ts';
import type { Step } from './step.ts';
import { hasHeardAll, runsOfSet, type ConversationTree } from './tree.ts';
import { profileOf } from '../protocol/profiles/agent-profiles.ts';

/**
 * Pause and resume (R9). There is a gate at every run, set and conversation, and one of the app. While it is closed nothing new starts within
 * it; what is at work goes on, and controls always work. A run whose *own* gate is closed also pauses at its next safe boundary. Gates are
 * columns of the rows, so that they survive a restart; the time that a run waits so counts for no limit (its worker measures none).
 *
 * | state of the run      | its own gate closes                                       | its own gate opens                                      | a gate around it          |
 * |-----------------------|-----------------------------------------------------------|---------------------------------------------------------|---------------------------|
 * | queued: dependency    | stays; once met it is queued: paused                      | stays                                                   | the same                  |
 * | queued: others        | queued: paused, keeps its turn in the queue               | queued: concurrency, unless another gate holds it       | the same                  |
 * | starting              | its worker is told when it connects                       | its worker is not told                                  | nothing                   |
 * | running               | told; at its next boundary waiting: paused, place given   | told; if it was not at its boundary yet, nothing was    | nothing                   |
 * | waiting: paused       | –                                                         | asks for a place at the head of its set, then is told   | nothing                   |
 * | waiting: concurrency, budget | gives its claim back; waiting: paused (a lead: user)      | –                                                       | nothing                   |
 * | waiting: children     | told; when they have ended waiting: paused                | told                                                    | children do not start     |
 * | waiting: user         | told; its next message waits with it                      | told; takes up what came meanwhile                      | nothing                   |
 * | waiting: permission, question, rate_limit, storage | told; goes on to its next boundary when that is over | told                            | nothing                   |
 * | waiting: restart      | waiting: paused, place given                              | –                                                       | nothing                   |
 * | stopping, ended       | refused                                                   | refused                                                 | nothing                   |
 *
 * Steer, stop and answers work in every row. A stop of a paused run ends it like any other; what was accepted for it is missed then.
 * The runner `command`, and other programs that cannot be held, can be paused only before they start.
 */
export function decideGate(step: Step, id: string, paused: boolean): Result<string, ApiError> {
  const { tree } = step;
  const run = tree.runs.get(id);
  if (run !== undefined) return pauseRun(step, run, paused);
  if (tree.sets.has(id)) return pauseSet(step, id, paused);
  if (tree.conversation.conversation_id !== id) return err(unknownRun(id));
  if (tree.conversation.paused !== paused) {
    step.emit({ type: 'conversation_changed', v: 1, conversation_id: id, paused });
    decidePause(step);
  }
  return ok(scopeNote('The conversation', id, paused, [...tree.runs.values()]));
}

/** Some gate was closed or opened: runs that could start say what holds them. Their order stays. */
export function decidePause(step: Step): void {
  for (const run of step.tree.runs.values()) {
    const waitsForPlace = run.state === 'queued' && (queuesForPlace(run.reason) || run.reason === 'paused');
    if (!waitsForPlace || !moveRun(step, run.run_id, 'queued', queueReason(step, run))) continue;
    // Asking twice changes nothing; what asked has its turn still.
    step.effect({ type: 'ask_place', run_id: run.run_id, head: false });
  }
}

/** One that waits for money does so still, whatever gate was opened (R5). */
function queueReason(step: Step, run: RunRow): WaitReason {
  const reason = placeReason(step, run);
  return reason === 'concurrency' && run.reason === 'budget' ? 'budget' : reason;
}

function pauseSet(step: Step, id: string, paused: boolean): Result<string, ApiError> {
  const set = step.tree.sets.get(id);
  if (set === undefined) return err(unknownRun(id));
  if (set.ended_at !== null && (paused || !set.paused)) {
    const what = paused ? 'pause' : 'resume';
    return err({ code: 'already_ended', message: `Set ${set.set} has ended. There is nothing to ${what}.` });
  }
  if (set.paused !== paused) {
    step.emit({ type: 'set_paused', v: 1, delegation_id: id, paused });
    decidePause(step);
  }
  return ok(scopeNote(`Set ${set.set}`, id, paused, runsOfSet(step.tree, id)));
}

/** What a gate with more than one run behind it does. */
function scopeNote(name: string, id: string, paused: boolean, runs: readonly RunRow[]): string {
  const open = runs.filter((run) => !isEnded(run.state));
  const held = open.filter((run) => run.reason === 'paused').length;
  if (!paused)
    return held === 0
      ? `${name} goes on.`
      : `${name} goes on, but ${held} ${held === 1 ? 'is' : 'are'} held by another pause.`;
  const atWork = open.filter((run) => holdsPlace(run.state, run.reason)).length;
  return `${name} is paused: ${held} held, ${atWork} at work go on. Resume ${id} to undo.`;
}

function pauseRun(step: Step, run: RunRow, paused: boolean): Result<string, ApiError> {
  const refused = paused ? refusalToPause(step, run) : refusalToResume(step, run);
  if (refused !== null) return err(refused);
  const { run_id } = run;
  if (run.paused !== paused) {
    step.emit({ type: 'run_paused', v: 1, run_id, paused });
    decidePause(step);
    if (paused) hold(step, run_id);
    else letGo(step, run_id);
  }
  const now = step.tree.runs.get(run_id) ?? run;
  if (paused) return ok(`${now.words}. Resume ${run_id} to undo.`);
  return ok(`It goes on: ${now.words.toLowerCase()}.`);
}

function refusalToPause(step: Step, run: RunRow): ApiError | null {
  if (isEnded(run.state)) return { code: 'already_ended', message: 'This run has ended. There is nothing to pause.' };
  if (!isSteerable(run.state)) return { code: 'not_pausable', message: 'This run is being stopped.' };
  if (isOutside(run)) {
    return { code: 'not_pausable', message: 'A client outside cannot be paused. Pause the conversation, or its sets.' };
  }
  if (run.runner === 'builtin' || !hasAttempt(run.state) || pausesItself(step, run)) return null;
  const what = run.runner === 'command' ? 'A command' : `An agent of the runner ${run.runner}`;
  const message = `${what} cannot be paused once it is at work. Stop it, or let it end; what has not started can be paused.`;
  return { code: 'not_pausable', message };
}

/** An agent outside of us whose profile says that it can be held (R9, R11). */
function pausesItself({ context }: Step, { agent }: RunRow): boolean {
  const definition = context.agents.get(agent);
  return definition !== undefined && profileOf(definition)?.pause.at === 'boundary';
}

function refusalToResume(step: Step, run: RunRow): ApiError | null {
  if (isEnded(run.state)) return { code: 'already_ended', message: 'This run has ended. There is nothing to resume.' };
  const [gate] = run.paused ? [] : gatesAround(step, run);
  if (gate === undefined || run.reason !== 'paused') return null;
  const way = gate.id === null ? 'Resume everything' : `Resume ${gate.id}`;
  return { code: 'not_allowed', message: `What holds this run is ${gateWords(step, gate)}. ${way}.` };
}

/** A run with a worker is to pause at its next safe boundary; one that waits without a place does so now. */
function hold(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || !hasAttempt(run.state)) return;
  tellPause(step, runId);
  if (run.state !== 'waiting' || (!queuesForPlace(run.reason) && run.reason !== 'restart')) return;
  moveRun(step, runId, 'waiting', takesUpMessage(step.tree, run) ? 'user' : 'paused');
  step.effect({ type: 'give_place', run_id: runId });
}

/** A lead that queues for its next message alone, and needs no process for that. */
function takesUpMessage(tree: ConversationTree, { lead, reason, run_id }: RunRow): boolean {
  const hasSession = tree.facts.get(run_id)?.session != null;
  return lead && queuesForPlace(reason) && hasSession && hasHeardAll(tree, run_id);
}

function letGo(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || run.state !== 'waiting') return tellResume(step, runId);
  // At its boundary it has no place: it is told when it has one again (R1).
  if (run.reason === 'paused') return askPlaceAgain(step, runId);
  tellResume(step, runId);
  wakeForMessages(step, runId);
}
