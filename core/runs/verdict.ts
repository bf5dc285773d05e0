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
  /** A person, a parent or an ancestor stopped it. */
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
  if (facts.stopped || facts.report?.cut_by === 'stop') {
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
    const error = facts.stalled ?? 'No progress.';
    return failed('stalled', 'stalled', error, facts);
  }
  return null;
}

function failed(
  exit_reason: Verdict['exit_reason'],
  failure_reason: FailureReason,
  error: string,
  facts: EndFacts,
): Verdict {
  return { ...CLEAN, outcome: 'failed', exit_reason, failure_reason, error, text_cut: hasText(facts) };
}

function broken(facts: EndFacts): Verdict | null {
  const { report, death } = facts;
  if (report?.error && report.error.message.trim() !== '') {
    return failed('error', report.error.reason, report.error.message, facts);
  }
  if (report?.exit && (report.exit.code !== 0 || report.exit.signal !== null)) {
    const status = report.exit.signal === null ? `exit ${report.exit.code ?? '?'}` : `killed by ${report.exit.signal}`;
    const last = lastLine(report.answer);
    return { ...failed('error', 'exit_status', last === '' ? status : `${status}: ${last}`, facts), text_cut: false };
  }
  if (report !== null) return null;
  if (death === null) return failed('error', 'internal', 'The run ended without a report.', facts);
  if (!death.proved) return { ...CLEAN, outcome: 'lost', exit_reason: 'unknown', error: death.message };
  return failed('process_died', 'process', death.message, facts);
}

/** The last line that is not empty. */
function lastLine(text: string): string {
  return (
    text
      .split(/\r?\n/)
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}

function judged(facts: EndFacts): Verdict {
  const report = facts.report;
  if (report === null) return CLEAN;
  const schemaValid = report.schema?.valid === true;
  if (facts.schemaAsked && !schemaValid && report.limit === null) {
    const errors = report.schema?.errors.join('; ') ?? 'no structured output was given';
    return failed('error', 'schema', `The output does not match the schema: ${errors}`, facts);
  }
  const usable = schemaValid || (!facts.schemaAsked && (hasText(facts) || !facts.answerNeeded));
  if (report.limit !== null) {
    const cut: Verdict = { ...CLEAN, exit_reason: report.limit, truncated: true };
    if (usable) return cut;
    const error = `The run reached its limit (${report.limit}) without a usable answer.`;
    return { ...cut, outcome: 'failed', failure_reason: 'empty_answer', error };
  }
  if (!schemaValid && report.ended_on_tool_error) {
    return failed('error', 'tool', 'The last tool call failed and nothing was said after it.', facts);
  }
  if (!usable) return failed('error', 'empty_answer', 'The run ended with an empty answer.', facts);
  return CLEAN;
}
