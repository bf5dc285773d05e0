import type { FailureReason, Verdict } from '../protocol/outcome.ts';
import type { RunReport } from '../protocol/report.ts';

/** Why a run ended without ever having an attempt at work. */
export interface NeverStarted {
  readonly kind: 'refused' | 'dependency' | 'not_started';
  /** Null for a dependency, which is no failure of this run. */
  readonly failure_reason: FailureReason | null;
  readonly message: string;
}

/** Everything the core knows at the end of a run. */
export interface EndFacts {
  /** A person, a parent or an ancestor stopped it; that it was told to end by anything else is no stop. */
  readonly stopped: boolean;
  readonly neverStarted: NeverStarted | null;
  /** Message that says whose deadline it was; null when none passed. */
  readonly deadline: string | null;
  readonly stalled: string | null;
  /** Terminal frame of the worker, if it came. */
  readonly report: RunReport | null;
  /** The worker ended without a terminal frame. `proved` is false when nobody can tell what happened. */
  readonly death: { readonly proved: boolean; readonly message: string } | null;
  readonly schemaAsked: boolean;
  /** The runner `command` needs no answer (T2). */
  readonly answerNeeded: boolean;
}

const CLEAN: Verdict = {
  outcome: 'completed',
  exit_reason: 'done',
  failure_reason: null,
  truncated: false,
  error: null,
  text_cut: false,
};

/**
 * The verdict on an ended run (delegation.md T2), by the order of T3: first match wins. Text beside a failure never makes
 * it completed.
 */
export function decideVerdict(facts: EndFacts): Verdict {
  return stoppedOrUnstarted(facts) ?? overdue(facts) ?? broken(facts) ?? judged(facts);
}

function hasText(facts: EndFacts): boolean {
  return (facts.report?.answer.trim() ?? '') !== '';
}

function stoppedOrUnstarted(facts: EndFacts): Verdict | null {
  if (facts.stopped) {
    return { ...CLEAN, outcome: 'stopped', exit_reason: 'stopped', text_cut: hasText(facts) };
  }
  if (facts.neverStarted === null) return null;
  const { kind, failure_reason, message } = facts.neverStarted;
  if (kind === 'dependency') return { ...CLEAN, outcome: 'stopped', exit_reason: 'dependency', error: message };
  return {
    ...CLEAN,
    outcome: 'failed',
    exit_reason: kind,
    failure_reason: failure_reason ?? 'process',
    error: message,
  };
}

function overdue(facts: EndFacts): Verdict | null {
  if (facts.deadline !== null || facts.report?.cut_by === 'deadline') {
    const error = facts.deadline ?? 'The time limit of the run passed.';
    return { ...CLEAN, outcome: 'timed_out', exit_reason: 'timeout', error, text_cut: hasText(facts) };
  }
  if (facts.stalled !== null || facts.report?.cut_by === 'stalled') {
    return failed('stalled', 'stalled', stalledWords(facts), hasText(facts));
  }
  return null;
}

/** Silence has a cause that the worker may have seen: an endless retry, a refused connection. */
function stalledWords({ stalled, report }: EndFacts): string {
  const words = stalled ?? 'No progress.';
  const seen = report?.error?.message.trim() ?? '';
  return seen === '' || words.includes(seen) ? words : `${words} Last seen: ${seen}`;
}

function failed(
  exit_reason: Verdict['exit_reason'],
  failure_reason: FailureReason,
  error: string,
  text_cut = false,
): Verdict {
  return { ...CLEAN, outcome: 'failed', exit_reason, failure_reason, error, text_cut };
}

function broken(facts: EndFacts): Verdict | null {
  const { report, death } = facts;
  if (report !== null) return errorOf(report, facts) ?? endedFromOutside(report, facts) ?? exitOf(report);
  if (death === null) return failed('error', 'internal', 'The run ended without a report.');
  if (!death.proved) return { ...CLEAN, outcome: 'lost', exit_reason: 'unknown', error: death.message };
  return failed('process_died', 'process', death.message);
}

/** An error without a message is none (T3). */
function errorOf({ error }: RunReport, facts: EndFacts): Verdict | null {
  if (error === null || error.message.trim() === '') return null;
  return failed('error', error.reason, error.message, hasText(facts));
}

/** The worker was told to stop, but not by us: a signal of somebody else, or the end of a worker that broke the protocol. */
function endedFromOutside({ cut_by }: RunReport, facts: EndFacts): Verdict | null {
  if (cut_by !== 'stop') return null;
  return failed('process_died', 'process', 'The worker was ended from outside.', hasText(facts));
}

function exitOf({ exit, answer }: RunReport): Verdict | null {
  if (exit === null || (exit.code === 0 && exit.signal === null)) return null;
  const status = exit.signal === null ? `exit ${exit.code ?? '?'}` : `killed by ${exit.signal}`;
  const last = lastLine(answer);
  return failed('error', 'exit_status', last === '' ? status : `${status}: ${last}`);
}

/** The last line that is not empty. */
function lastLine(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? '';
}

/** A worker that came to its end by itself: what it has brought (T3, from `schema` on). */
function judged(facts: EndFacts): Verdict {
  const report = facts.report;
  if (report === null) return CLEAN;
  return schemaMissed(facts, report) ?? limited(facts, report) ?? unanswered(facts, report) ?? CLEAN;
}

function isSchemaValid({ schema }: RunReport): boolean {
  return schema?.valid === true;
}

/** Missed for good: after the repair turn, or because the run came to its end without. A limit before that is the limit's (T2). */
function schemaMissed(facts: EndFacts, report: RunReport): Verdict | null {
  if (!facts.schemaAsked || isSchemaValid(report)) return null;
  const repaired = report.schema !== null && report.schema.retries > 0;
  if (report.limit !== null && !repaired) return null;
  const errors = report.schema?.errors.join('; ') ?? '';
  const what = errors === '' ? 'no structured output was given' : errors;
  return failed('error', 'schema', `The output does not match the schema: ${what}`);
}

/** With a schema only a valid output is an answer, even with empty text; else text is, which a command need not have (T2). */
function isUsable(facts: EndFacts, report: RunReport): boolean {
  return facts.schemaAsked ? isSchemaValid(report) : hasText(facts) || !facts.answerNeeded;
}

function limited(facts: EndFacts, report: RunReport): Verdict | null {
  if (report.limit === null) return null;
  const cut: Verdict = { ...CLEAN, exit_reason: report.limit, truncated: true };
  if (isUsable(facts, report)) return cut;
  const error = `The run reached its limit (${report.limit}) without a usable answer.`;
  return { ...cut, outcome: 'failed', failure_reason: 'empty_answer', error };
}

function unanswered(facts: EndFacts, report: RunReport): Verdict | null {
  if (isSchemaValid(report)) return null;
  if (report.ended_on_tool_error) {
    return failed('error', 'tool', 'The last tool call failed and nothing was said after it.');
  }
  return isUsable(facts, report) ? null : failed('error', 'empty_answer', 'The run ended with an empty answer.');
}
