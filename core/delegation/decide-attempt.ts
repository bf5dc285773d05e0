import { isEnded, isSteerable, queuesForPlace } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { AttemptEnd } from '../runs/closing.ts';
import { resendAnswers } from './ask-answers.ts';
import {
  decideAnswerAgain,
  decidePlaceBack,
  finishIfDone,
  handOver,
  isOffered,
  offerAgain,
  sendNotices,
  startAttempt,
} from './decide-delivery.ts';
import { deadlineWords, isOverdue } from './deadlines.ts';
import { allowance } from './decide-budget.ts';
import { decideEnd } from './decide-end.ts';
import { gatesAround } from './gates.ts';
import { tellLimits, type Allowance } from './holds.ts';
import type { KnownEnd } from './ending.ts';
import { isPlaced, moveRun } from './move.ts';
import { repeatPause, tellPause } from './pause-frames.ts';
import { sendSteers } from './steer-frames.ts';
import type { Step } from './step.ts';
import { asksOf, beginsWithMessage, endsAfterAnswer, hasResultsToCome, hasHeardAll, type RunFacts } from './tree.ts';

/** A run got a place: it begins, or goes on with what it waited for. A run that no longer needs it gives it back. */
export function decidePlace(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (step.tree.facts.get(runId)?.closing != null) return step.effect({ type: 'give_place', run_id: runId });
  if (run?.state === 'queued') return beginOrHold(step, run);
  if (isBetweenAttempts(run)) return affordably(step, runId, startAttempt);
  if (run?.state === 'waiting' && queuesForPlace(run.reason)) return affordably(step, runId, decidePlaceBack);
  if (run === undefined || isEnded(run.state) || run.state === 'waiting') {
    step.effect({ type: 'give_place', run_id: runId });
  }
}

/** A queued run begins. If a gate was closed while the place was on its way, it keeps its turn in the queue (R9). */
function beginOrHold(step: Step, run: RunRow): void {
  if (gatesAround(step, run).length === 0) return affordably(step, run.run_id, startAttempt);
  moveRun(step, run.run_id, 'queued', 'paused');
  step.effect({ type: 'return_place', run_id: run.run_id });
}

/** Goes on if there are time and money for it; else the run waits for money, or ends (R5, R7). */
function affordably(step: Step, runId: string, goOn: (step: Step, runId: string, allowed: Allowance) => void): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined) return;
  if (isOverdue(step.tree, run)) return endOverdue(step, run);
  const allowed = allowance(step, run);
  if (allowed !== null) goOn(step, runId, allowed);
}

/** Its time passed while it waited. */
function endOverdue(step: Step, { run_id, ...run }: RunRow): void {
  const deadline = deadlineWords(step.tree, { run_id, ...run });
  if (step.tree.facts.get(run_id)?.attempt_id == null) return decideEnd(step, run_id, { deadline }, null);
  step.tree.memory.endsFor.set(run_id, { deadline });
  step.effect({ type: 'stop_attempt', run_id, reason: 'deadline' });
}

function isBetweenAttempts(run: RunRow | undefined): boolean {
  return run?.state === 'waiting' && run.reason === 'restart';
}

/** The worker of an attempt is there for the first time. A stop that came meanwhile is told to it at once. */
export function decideConnected(step: Step, runId: string, attemptId: string, pid: number): void {
  const run = step.tree.runs.get(runId);
  const facts = step.tree.facts.get(runId);
  if (run === undefined || facts?.attempt_id !== attemptId) return;
  step.emit({ type: 'attempt_connected', v: 1, run_id: runId, attempt_id: attemptId, pid });
  step.effect({ type: 'welcome_attempt', run_id: runId, attempt_id: attemptId });
  if (!isSteerable(run.state)) return step.effect({ type: 'stop_attempt', run_id: runId, reason: 'stop' });
  moveRun(step, runId, 'running');
  tellPause(step, runId);
  sendNotices(step, run);
  if (beginsWithMessage(step.tree, run)) handOver(step, runId);
  else sendSteers(step, run);
}

/** A worker came back after a cut or a restart of the core: it hears again what may have been lost on the way (D4, P7). */
export function decideReconnected(
  step: Step,
  runId: string,
  openCalls: readonly string[],
  openAsks: readonly string[],
): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || isEnded(run.state)) return;
  if (!isSteerable(run.state)) return step.effect({ type: 'stop_attempt', run_id: runId, reason: 'stop' });
  if (step.tree.facts.get(runId)?.report != null) return step.effect({ type: 'release_attempt', run_id: runId });
  tellLimits(step, runId);
  for (const callId of openCalls) decideAnswerAgain(step, runId, callId);
  resendAnswers(step, runId, openAsks);
  sendSteers(step, run);
  sendNotices(step, run);
  if (run.state === 'running') offerAgain(step, run);
  if (run.state === 'waiting' && run.reason === 'user') finishIfDone(step, run);
  // Last: what goes on has heard everything.
  repeatPause(step, run);
}

/** What was seen of the end of an attempt's process. */
export interface ExitFacts extends AttemptEnd {
  readonly connected: boolean;
  /** It had told of something before it ended. */
  readonly active: boolean;
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
  /** Its process is gone and nobody ended it, whether or not its status is known. */
  readonly by_itself?: boolean;
  readonly stderr_tail: string;
  /** It was ended because nothing came from it any more, in words (R7). */
  readonly silent?: string | null;
}

// R8: a worker that died before any activity is started again after these pauses.
const RESTART_AFTER_MS = [250, 750, 1500] as const;

/** The attempt of a run has ended: the run ends with it, starts again, or waits on without a process. */
export function decideExited(step: Step, runId: string, exit: ExitFacts): void {
  const run = step.tree.runs.get(runId);
  const facts = step.tree.facts.get(runId);
  if (run === undefined || facts === undefined || facts.attempt_id !== exit.attempt_id || isEnded(run.state)) return;
  // Its end was seen by an earlier core, which did not come to its end.
  if (facts.closing !== null) return step.effect({ type: 'close_run', run_id: runId });
  if (run.state === 'stopping') return decideEnd(step, runId, { stopped: true }, exit);
  const known = knownEnd(step, run, exit);
  if (facts.report !== null || known !== null) return decideEnd(step, runId, known ?? {}, exit);
  if (!endsWell(step, run, facts, exit)) decideEnd(step, runId, unexplained(run, exit), exit);
}

/** Nothing is lost by the end of the attempt: the run needs no process now, had answered, or starts again. */
function endsWell(step: Step, run: RunRow, facts: RunFacts, exit: ExitFacts): boolean {
  if (!isBetweenTurns(step, run, facts)) return decideAnswered(step, run.run_id, exit) || restarts(step, run, exit);
  detach(step, run.run_id, exit);
  return true;
}

/** Its worker is gone, and said nothing of why. */
function unexplained(run: RunRow, exit: ExitFacts): KnownEnd {
  if (exit.connected) return { death: { proved: exit.exit !== null, message: deathWords(run, exit) } };
  const message = `The worker never became ready${stderrWords(exit)}.`;
  return { neverStarted: { kind: 'not_started', failure_reason: 'process', message } };
}

/** Whose time has passed, or that the worker was silent for too long, if that is how it came to its end (R7). */
function knownEnd(step: Step, run: RunRow, { silent }: ExitFacts): KnownEnd | null {
  const asked = step.tree.memory.endsFor.get(run.run_id);
  if (asked !== undefined) return asked;
  if (silent != null) return { stalled: silent };
  const cut = step.tree.facts.get(run.run_id)?.report?.cut_by;
  return cut === 'deadline' ? { deadline: deadlineWords(step.tree, run) } : null;
}

/** A lead that waits for its next message, or for a place to take it up, needs no process: a new one goes on with its session. */
function isBetweenTurns(step: Step, run: RunRow, { session }: RunFacts): boolean {
  if (!run.lead || session == null || run.state !== 'waiting') return false;
  if (run.reason === 'user') return !endsAfterAnswer(step.tree, run.run_id) || hasResultsToCome(step.tree, run.run_id);
  return queuesForPlace(run.reason) && hasHeardAll(step.tree, run.run_id);
}

/**
 * Ends a lead that had answered, was to end then and waits for nothing: what it has answered counts, whatever became of its worker (T1). Tells
 * whether it is one.
 */
export function decideAnswered(step: Step, runId: string, attempt: AttemptEnd | null): boolean {
  const run = step.tree.runs.get(runId);
  const facts = step.tree.facts.get(runId);
  if (run?.state !== 'waiting' || run.reason !== 'user' || facts?.answered == null) return false;
  if (!endsAfterAnswer(step.tree, runId) || hasResultsToCome(step.tree, runId)) return false;
  step.report(runId, facts.answered, facts.session);
  decideEnd(step, runId, {}, attempt);
  return true;
}

/** Starts a run again whose worker died before it did anything, or before it took up the message that it was sent (R8). */
function restarts(step: Step, run: RunRow, exit: ExitFacts): boolean {
  const { run_id } = run;
  const hadBegun = exit.active && !(beginsWithMessage(step.tree, run) && isOffered(step, run_id));
  const { idleDeaths } = step.tree.memory;
  const deaths = idleDeaths.get(run_id) ?? 0;
  const pause = RESTART_AFTER_MS[deaths];
  if (hadBegun || pause === undefined || !isExplained(exit)) return false;
  idleDeaths.set(run_id, deaths + 1);
  detach(step, run_id, exit);
  moveRun(step, run_id, 'waiting', 'restart');
  step.effect({ type: 'restart_run', run_id, delay_ms: pause });
  return true;
}

/**
 * Whether it is known that nothing was begun. A worker tells of its goal before it does anything, to a core or to its spool: one that an earlier core
 * had greeted and that is gone without a word never had its task.
 */
function isExplained(exit: ExitFacts): boolean {
  return exit.exit !== null || neverCame(exit) || (exit.by_itself === true && !exit.active);
}

/** Started by an earlier core, perhaps never: its grace has passed and it may not connect any more (DESIGN, No second start). */
function neverCame({ connected, active, exit, proof }: ExitFacts): boolean {
  return !connected && !active && exit === null && proof.method === 'not_started';
}

function detach(step: Step, runId: string, { attempt_id, proof, survivors }: ExitFacts): void {
  for (const { row } of asksOf(step.tree, runId)) step.tree.memory.unheard.delete(row.ask_id);
  step.emit({ type: 'attempt_ended', v: 1, run_id: runId, attempt_id, proof, survivors: [...survivors] });
}

/** A restart is due, unless the run was stopped meanwhile. */
export function decideRestart(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || !isBetweenAttempts(run)) return;
  if (isPlaced(run)) affordably(step, runId, startAttempt);
  else step.effect({ type: 'ask_place', run_id: runId, head: true });
}

function stderrWords(exit: ExitFacts): string {
  const last = exit.stderr_tail.trim().split('\n').at(-1) ?? '';
  return last === '' ? '' : `: ${last}`;
}

function deathWords(run: RunRow, exit: ExitFacts): string {
  if (exit.exit === null) {
    return `Nobody saw the end of its worker; the last that is known: ${run.activity ?? 'it had started'}.`;
  }
  const how = exit.exit.signal === null ? `exit ${exit.exit.code ?? '?'}` : exit.exit.signal;
  return `The worker process died (${how})${stderrWords(exit)}.`;
}
