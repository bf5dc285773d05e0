import type { EndProof, ProcessName } from '../protocol/report.ts';
import type { AcceptanceResult, WorktreeResult } from '../protocol/result-entry.ts';
import type { EndFacts } from './verdict.ts';

/** How an attempt was seen to end. */
export interface AttemptEnd {
  readonly attempt_id: string;
  readonly proof: EndProof;
  readonly survivors: readonly ProcessName[];
  /** What it had left running below its worker, and what was ended with it (C4). */
  readonly left?: readonly ProcessName[];
}

/** What is known of an end beside the worker's own report. */
export type KnownEnd = Partial<Omit<EndFacts, 'schemaAsked' | 'answerNeeded' | 'report'>>;

/**
 * A run whose work is over but whose workspace is still looked at: its verify commands run (T4), its worktree is measured (W3). Stored, so that
 * the next core finishes what a crash interrupted.
 */
export interface Closing {
  readonly known: KnownEnd;
  /** Null when the run had no attempt that came to be. */
  readonly attempt: AttemptEnd | null;
  /** `asked` until the verify commands have run; null when none are to be run. */
  readonly acceptance: AcceptanceResult | 'asked' | null;
}

/** What was found when a run was closed; null for what was not asked for or not looked at. */
export interface Closed {
  readonly acceptance: AcceptanceResult | null;
  readonly worktree: WorktreeResult | null;
}
