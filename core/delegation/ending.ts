import { isEnded } from '../protocol/lifecycle.ts';
import type { Verdict } from '../protocol/outcome.ts';
import type { EndProof, ProcessName } from '../protocol/report.ts';
import type { WorktreeResult } from '../protocol/result-entry.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { RunWorktree } from '../protocol/worktree.ts';
import type { AttemptEnd, Closed, KnownEnd } from '../runs/closing.ts';
import { decideVerdict, type EndFacts } from '../runs/verdict.ts';
import { verdictWords } from '../runs/words.ts';
import { adviceFor } from './lines/advice.ts';
import { failureLine } from './lines/failure-line.ts';
import { failureText } from './lines/failure-text.ts';
import { cutGraphemes } from './lines/graphemes.ts';
import { outcomeWords } from './lines/outcome-words.ts';
import { makeResultEntry } from './result-entry.ts';
import type { Step } from './step.ts';
import { boundSummary } from './summaries.ts';
import { settleAsks } from './stopping.ts';
import { openSteers, type RunFacts } from './tree.ts';

export type { AttemptEnd, KnownEnd };

/** A run that is to end. */
export interface Ending {
  readonly run_id: string;
  readonly known: KnownEnd;
  /** Null when the run has no attempt, or one that never came to be. */
  readonly attempt: AttemptEnd | null;
  /** It was closed, so that it ends now. */
  readonly closed?: Closed | undefined;
}

const NOTHING_KNOWN: Omit<EndFacts, 'schemaAsked' | 'answerNeeded' | 'report'> = {
  stopped: false,
  neverStarted: null,
  deadline: null,
  stalled: null,
  death: null,
};

// The row keeps so much of the answer; the result entry has it all.
const SUMMARY_IN_ROW = 2000;
const FAILURE_TEXT = 200;

/**
 * Ends one run: first terminal write wins (T7). Settles what was open between it and people, and judges it. Tells whether it ended by
 * this; what follows for its set, its parent and its children is decided elsewhere.
 */
export function endRun(step: Step, { run_id, known, attempt, closed }: Ending): boolean {
  const run = step.tree.runs.get(run_id);
  const facts = step.tree.facts.get(run_id);
  if (run === undefined || facts === undefined || isEnded(run.state)) return false;
  endAttempt(step, run_id, attempt, facts);
  settleAsks(step, run_id);
  const missedSteer = settleSteers(step, run_id);
  tellWorktree(step, run, closed?.worktree ?? null);
  const { survivors = [], left = [] } = attempt ?? {};
  judge(step, run_id, { known, survivors, left, missedSteer, closed: closed ?? null });
  step.effect({ type: 'give_place', run_id, ...leftOf(attempt) });
  return true;
}

/** An attempt whose end is not proved may be at work still, and keeps its place for that (R1). */
function leftOf(attempt: AttemptEnd | null): { unproved?: readonly ProcessName[] } {
  const method = attempt?.proof.method;
  return attempt !== null && (method === 'survivors' || method === 'unknown') ? { unproved: attempt.survivors } : {};
}

/** What the verdict on a run is made of, beside what is stored of it. */
interface Judged {
  readonly known: KnownEnd;
  readonly survivors: readonly ProcessName[];
  readonly left: readonly ProcessName[];
  readonly missedSteer: readonly string[];
  readonly closed: Closed | null;
}

/** Gives a run its verdict and its result. */
export function judge(step: Step, run_id: string, { known, ...parts }: Judged): void {
  const row = step.tree.runs.get(run_id);
  const facts = step.tree.facts.get(run_id);
  if (row === undefined || facts === undefined) return;
  const verdict = verdictOf(row, facts, known);
  const { task, report } = facts;
  const whole = makeResultEntry({ row, task, verdict, report, ...parts });
  const result = boundSummary(step, row.project_id, whole);
  const summary = result.summary.slice(0, SUMMARY_IN_ROW);
  step.emit({
    type: 'run_ended',
    v: 1,
    run_id,
    verdict,
    words: verdictWords(verdict, result.acceptance),
    ...lines(row, verdict),
    summary,
    result,
  });
}

/** The verdict on a run if it ended so (T2). */
export function verdictOf(run: RunRow, { task, report }: RunFacts, known: KnownEnd): Verdict {
  return decideVerdict({
    ...NOTHING_KNOWN,
    ...known,
    report,
    schemaAsked: task.output_schema !== null,
    answerNeeded: run.runner !== 'command',
  });
}

/** What was found in a run's worktree; one that was not measured is kept (W3). */
function tellWorktree(step: Step, { run_id, worktree }: RunRow, found: WorktreeResult | null): void {
  if (worktree === null) return;
  const state = found?.kept === false ? 'removed' : 'kept';
  const changed: RunWorktree = { ...worktree, state, commits: found?.commits ?? null, dirty: found?.dirty ?? null };
  step.emit({ type: 'worktree_changed', v: 1, run_id, worktree: changed });
}

/** An attempt whose end nobody saw because nothing of it ever began, has not started. */
function endAttempt(step: Step, run_id: string, attempt: AttemptEnd | null, { attempt_id }: RunFacts): void {
  const end = attempt ?? (attempt_id === null ? null : { attempt_id, proof: NOT_STARTED, survivors: [] });
  if (end === null) return;
  const { proof, survivors } = end;
  step.emit({ type: 'attempt_ended', v: 1, run_id, attempt_id: end.attempt_id, proof, survivors: [...survivors] });
}

const NOT_STARTED: EndProof = { method: 'not_started' };

/** Every accepted message is delivered or reported as missed, with its exact text (C2). */
function settleSteers(step: Step, runId: string): string[] {
  const missed = openSteers(step.tree, runId);
  for (const { steer_id } of missed) step.emit({ type: 'steer_moved', v: 1, steer_id, state: 'missed' });
  return missed.map((steer) => steer.text);
}

/** The failure in words, made once (L5). */
function lines(
  run: RunRow,
  verdict: Verdict,
): { failure_text: string | null; failure_line: string | null; advice: string | null } {
  const failed = { label: run.label, goal: run.goal, ...verdict };
  if (failureLine(failed) === null) return { failure_text: null, failure_line: null, advice: null };
  const advice = adviceFor({ ...verdict, agent: run.agent, model: run.model, retry_at: null });
  const text = failureText(verdict.error ?? '') || outcomeWords(verdict.outcome, verdict.failure_reason);
  return { failure_text: cutGraphemes(text, FAILURE_TEXT), failure_line: failureLine({ ...failed, advice }), advice };
}
