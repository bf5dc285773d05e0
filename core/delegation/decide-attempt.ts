import { isEnded } from '../protocol/lifecycle.ts';
import type { EndProof, ProcessName } from '../protocol/report.ts';
import type { RunRow } from '../protocol/rows.ts';
import { handOver, decidePlaceBack, resendCallResults, startAttempt } from './decide-delivery.ts';
import { decideEnd } from './decide-end.ts';
import { moveRun } from './move.ts';
import type { Step } from './step.ts';

/** A run got a place: it begins, or goes on with what it waited for. A run that no longer needs it gives it back. */
export function decidePlace(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run?.state === 'queued') return startAttempt(step, runId);
  if (run?.state === 'waiting' && run.reason === 'concurrency') return decidePlaceBack(step, runId);
  if (run === undefined || isEnded(run.state) || run.state === 'waiting')
    step.effect({ type: 'give_place', run_id: runId });
}

/** The worker of an attempt is there for the first time. A stop that came meanwhile is told to it at once. */
export function decideConnected(step: Step, runId: string, attemptId: string, pid: number): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || step.tree.facts.get(runId)?.attempt_id !== attemptId) return;
  step.emit({ type: 'attempt_connected', v: 1, run_id: runId, attempt_id: attemptId, pid });
  step.effect({ type: 'welcome_attempt', run_id: runId, attempt_id: attemptId });
  if (run.state === 'stopping') return step.effect({ type: 'stop_attempt', run_id: runId, reason: 'stop' });
  moveRun(step, runId, 'running');
  if (step.tree.facts.get(runId)?.session != null) return handOver(step, runId);
  sendAccepted(step, runId);
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
  if (run.state === 'stopping') return step.effect({ type: 'stop_attempt', run_id: runId, reason: 'stop' });
  if (step.tree.facts.get(runId)?.report) return step.effect({ type: 'release_attempt', run_id: runId });
  const waitsForPlace = run.state === 'waiting' && run.reason === 'concurrency';
  if (!waitsForPlace) resendCallResults(step, runId, openCalls);
  for (const { key, row } of step.tree.asks.values()) {
    if (row.run_id !== runId || row.state !== 'answered' || !openAsks.includes(key)) continue;
    const choice = row.choice === 'deny' || row.choice === 'text' ? row.choice : 'allow';
    const remember = row.choice === 'run' || row.choice === 'set' || row.choice === 'project';
    step.effect({ type: 'send', run_id: runId, frame: { type: 'answer', key, choice, remember, note: row.note } });
  }
  sendAccepted(step, runId);
}

function sendAccepted(step: Step, runId: string): void {
  for (const { steer_id, run_id, mode, text, state } of step.tree.steers.values()) {
    if (run_id !== runId || (state !== 'accepted' && state !== 'queued')) continue;
    step.effect({ type: 'send', run_id: runId, frame: { type: 'steer', steer_id, mode, text } });
  }
}

/** What was seen of the end of an attempt's process. */
export interface ExitFacts {
  readonly attempt_id: string;
  readonly connected: boolean;
  /** It had told of something before it ended. */
  readonly active: boolean;
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null;
  readonly proof: EndProof;
  readonly survivors: readonly ProcessName[];
  readonly stderr_tail: string;
}

// R8: a worker that died before any activity is started again after these pauses.
const RESTART_AFTER_MS = [250, 750, 1500] as const;

/** The attempt of a run has ended: the run ends with it, starts again, or waits on without a process. */
export function decideExited(step: Step, runId: string, exit: ExitFacts): void {
  const run = step.tree.runs.get(runId);
  const facts = step.tree.facts.get(runId);
  if (run === undefined || facts === undefined || facts.attempt_id !== exit.attempt_id || isEnded(run.state)) return;
  if (run.state === 'stopping') return decideEnd(step, runId, { stopped: true }, exit);
  if (facts.report !== null) return decideEnd(step, runId, {}, exit);
  if (run.lead && run.state === 'waiting' && run.reason === 'user' && facts.session != null)
    return detach(step, runId, exit);
  const pause = RESTART_AFTER_MS[run.attempts - 1];
  if (!exit.active && exit.exit !== null && pause !== undefined) {
    detach(step, runId, exit);
    moveRun(step, runId, 'waiting', 'restart');
    return step.effect({ type: 'restart_run', run_id: runId, delay_ms: pause });
  }
  if (!exit.connected) {
    const message = `The worker never became ready${stderrWords(exit)}.`;
    return decideEnd(step, runId, { neverStarted: { kind: 'not_started', failure_reason: 'process', message } }, exit);
  }
  decideEnd(step, runId, { death: { proved: exit.exit !== null, message: deathWords(run, exit) } }, exit);
}

function detach(step: Step, runId: string, exit: ExitFacts): void {
  const { attempt_id, proof, survivors } = exit;
  step.emit({ type: 'attempt_ended', v: 1, run_id: runId, attempt_id, proof, survivors: [...survivors] });
}

/** A restart is due, unless the run was stopped meanwhile. */
export function decideRestart(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run?.state === 'waiting' && run.reason === 'restart') startAttempt(step, runId);
}

function stderrWords(exit: ExitFacts): string {
  const last = exit.stderr_tail.trim().split('\n').at(-1) ?? '';
  return last === '' ? '' : `: ${last}`;
}

function deathWords(run: RunRow, exit: ExitFacts): string {
  if (exit.exit === null)
    return `Nobody saw the end of its worker; the last that is known: ${run.activity ?? 'it had started'}.`;
  const how = exit.exit.signal === null ? `exit ${exit.exit.code ?? '?'}` : exit.exit.signal;
  return `The worker process died (${how})${stderrWords(exit)}.`;
}
