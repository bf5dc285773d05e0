import { hasAttempt, isEnded } from '../protocol/lifecycle.ts';
import type { EndProof, ProcessName } from '../protocol/report.ts';
import type { RunRow } from '../protocol/rows.ts';
import { decideVerdict, type EndFacts, type NeverStarted } from '../runs/verdict.ts';
import { verdictWords } from '../runs/words.ts';
import { adviceFor } from './lines/advice.ts';
import { failureLine } from './lines/failure-line.ts';
import { failureText } from './lines/failure-text.ts';
import { cutGraphemes } from './lines/graphemes.ts';
import { outcomeWords } from './lines/outcome-words.ts';
import { makeResultEntry } from './result-entry.ts';
import { afterRunEnd } from './decide-set-end.ts';
import { decideStop } from './decide-stop.ts';
import type { Step } from './step.ts';

/** How an attempt was seen to end; null when the run never had one. */
export interface AttemptEnd {
  readonly attempt_id: string;
  readonly proof: EndProof;
  readonly survivors: readonly ProcessName[];
}

/** Facts of a run that ends without anything having happened to it. */
export const NOTHING_KNOWN: Omit<EndFacts, 'schemaAsked' | 'answerNeeded' | 'report'> = {
  stopped: false,
  neverStarted: null,
  deadline: null,
  stalled: null,
  death: null,
};

// The row keeps so much of the answer; the result entry has it all.
const SUMMARY_IN_ROW = 2000;

/**
 * Ends a run: first terminal write wins (T7). Settles what was open between it and people, judges it, and lets its set,
 * its parent and its dependents know.
 */
export function decideEnd(
  step: Step,
  runId: string,
  known: Partial<Omit<EndFacts, 'schemaAsked' | 'answerNeeded' | 'report'>>,
  attempt: AttemptEnd | null,
): void {
  const run = step.tree.runs.get(runId);
  const facts = step.tree.facts.get(runId);
  if (run === undefined || facts === undefined || isEnded(run.state)) return;
  if (attempt !== null) {
    const { attempt_id, proof, survivors } = attempt;
    step.emit({ type: 'attempt_ended', v: 1, run_id: runId, attempt_id, proof, survivors: [...survivors] });
  }
  settleAsks(step, runId);
  const missedSteer = settleSteers(step, runId);
  const verdict = decideVerdict({
    ...NOTHING_KNOWN,
    ...known,
    report: facts.report,
    schemaAsked: facts.task.output_schema !== null,
    answerNeeded: run.runner !== 'command',
  });
  const survivors = attempt?.survivors ?? [];
  const row = step.tree.runs.get(runId) ?? run;
  const result = makeResultEntry({ row, task: facts.task, verdict, report: facts.report, survivors, missedSteer });
  const advice =
    verdict.outcome === 'completed' || verdict.outcome === 'stopped'
      ? null
      : adviceFor({ ...verdict, agent: run.agent, model: run.model, retry_at: null });
  const failed = { label: run.label, goal: run.goal, ...verdict };
  const line = failureLine(failed);
  step.emit({
    type: 'run_ended',
    v: 1,
    run_id: runId,
    verdict,
    words: verdictWords(verdict),
    failure_text:
      line === null
        ? null
        : cutGraphemes(failureText(verdict.error ?? '') || outcomeWords(verdict.outcome, verdict.failure_reason), 200),
    failure_line: failureLine({ ...failed, advice }),
    advice,
    summary: result.summary.slice(0, SUMMARY_IN_ROW),
    result,
  });
  step.effect({ type: 'give_place', run_id: runId });
  stopBelow(step, runId);
  afterRunEnd(step, runId);
}

/** Ends a run that never had an attempt at work: refused, a dependency not met, or its start failed. */
export function decideNeverStarted(step: Step, runId: string, why: NeverStarted): void {
  decideEnd(step, runId, { neverStarted: why }, null);
}

/** Whatever still runs below an ended run has no owner any more and is stopped. */
function stopBelow(step: Step, runId: string): void {
  const open = (step.tree.childSets.get(runId) ?? [])
    .flatMap((setId) => step.tree.slots.get(setId) ?? [])
    .filter((id) => !isEnded(step.tree.runs.get(id)?.state ?? 'ended'));
  if (open.length > 0) decideStop(step, open);
}

function settleAsks(step: Step, runId: string): void {
  for (const { row } of step.tree.asks.values()) {
    if (row.run_id !== runId || row.state !== 'open') continue;
    step.emit({ type: 'ask_settled', v: 1, ask_id: row.ask_id, state: 'closed', choice: null, note: null, by: null });
  }
}

/** Every accepted message is delivered or reported as missed, with its exact text (C2). */
function settleSteers(step: Step, runId: string): string[] {
  const missed = [...step.tree.steers.values()].filter(
    (steer) => steer.run_id === runId && (steer.state === 'accepted' || steer.state === 'queued'),
  );
  for (const steer of missed) step.emit({ type: 'steer_moved', v: 1, steer_id: steer.steer_id, state: 'missed' });
  return missed.map((steer) => steer.text);
}

/** Whether the run has a worker whose end must be proved before the run may end. */
export function needsProof(step: Step, run: RunRow): boolean {
  return hasAttempt(run.state) && step.tree.facts.get(run.run_id)?.attempt_id !== null;
}
