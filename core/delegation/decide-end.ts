import type { AttemptEnd, Closed, KnownEnd } from '../runs/closing.ts';
import type { NeverStarted } from '../runs/verdict.ts';
import { afterRunEnd } from './decide-set-end.ts';
import { beginClosing } from './closing.ts';
import { endRun, type Ending } from './ending.ts';
import type { Step } from './step.ts';
import { below, markStopping } from './stopping.ts';

/**
 * Ends a run, and whatever ends with it: unstarted runs below it, tasks that depended on it, the rest of a set that fails fast. Whatever
 * still works below it has no owner any more and is stopped (C3). Each run ends at most once (T7); one that is still to be looked at closes first,
 * and ends when that was done, with `closed`.
 */
export function decideEnd(
  step: Step,
  runId: string,
  known: KnownEnd,
  attempt: AttemptEnd | null,
  closed?: Closed,
): void {
  const endings: Ending[] = [{ run_id: runId, known, attempt, closed }];
  // Grows while it is walked: an end may bring others.
  for (const ending of endings) {
    const closes = beginClosing(step, ending);
    if (!closes && !endRun(step, ending)) continue;
    for (const run_id of markStopping(step, below(step.tree, ending.run_id))) {
      endings.push({ run_id, known: { stopped: true }, attempt: null });
    }
    if (!closes) endings.push(...afterRunEnd(step, ending.run_id));
  }
}

/** Ends a run that never had an attempt at work: refused, a dependency not met, or its start failed. */
export function decideNeverStarted(step: Step, runId: string, why: NeverStarted): void {
  decideEnd(step, runId, { neverStarted: why }, null);
}
