import type { FailureReason, Outcome } from '../../protocol/outcome.ts';
import { failureText } from './failure-text.ts';
import { cutGraphemes } from './graphemes.ts';
import { outcomeWords } from './outcome-words.ts';
import { taskName } from './set-lines.ts';

/** Graphemes of the name and of the text of a failure line (L5). */
const NAME = 60;
const TEXT = 200;

/** An ended run, as far as its failure line needs it. */
export interface FailedRun {
  readonly label: string | null;
  readonly goal: string;
  readonly outcome: Outcome;
  readonly failure_reason: FailureReason | null;
  readonly error: string | null;
  /** What to do, from `adviceFor`. */
  readonly advice?: string | null;
}

/**
 * `<label, else goal> — <text>` of a run that failed, timed out or was lost, followed by the advice in brackets;
 * null for one that completed or was stopped (L5).
 */
export function failureLine(run: FailedRun): string | null {
  if (run.outcome === 'completed' || run.outcome === 'stopped') return null;
  const text = failureText(run.error ?? '') || outcomeWords(run.outcome, run.failure_reason);
  const line = `${taskName(run, NAME)} — ${cutGraphemes(text, TEXT)}`;
  return run.advice ? `${line} (${run.advice})` : line;
}
