import type { WorkerEvent } from '../protocol/frames.ts';
import { isEnded } from '../protocol/lifecycle.ts';
import { reopenSet } from './decide-retry.ts';
import { endSet } from './decide-set-end.ts';
import { judge } from './ending.ts';
import { totalProgress } from './progress.ts';
import type { Step } from './step.ts';
import { slotRuns, type RunFacts } from './tree.ts';

/** What was looked at when the run was given up stays. */
function toldBefore({ result }: RunFacts): Omit<Parameters<typeof judge>[2], 'known'> {
  const { worktree = null, missed_steer = [], survivors = [] } = result ?? {};
  return { survivors, left: [], missedSteer: missed_steer, closed: { acceptance: null, worktree } };
}

/**
 * The last word of a worker whose run was given up as lost has come after all: it is the proof of what happened, and the run's verdict is what that
 * says (T7). It can do so once, as nothing else is refined. The result of a set that has ended comes again, revised.
 */
export function decideRefined(step: Step, runId: string, last: Extract<WorkerEvent, { type: 'ended' }>): void {
  const run = step.tree.runs.get(runId);
  const facts = step.tree.facts.get(runId);
  if (run?.outcome !== 'lost' || facts === undefined) return;
  const progress = totalProgress(step.tree, runId, last.report.progress);
  step.emit({ type: 'run_progressed', v: 1, run_id: runId, progress });
  step.report(runId, { ...last.report, progress }, last.session ?? facts.session);
  judge(step, runId, { known: {}, ...toldBefore(facts) });
  const set = run.delegation_id === null ? undefined : step.tree.sets.get(run.delegation_id);
  // One that was tried again or continued since stands for nothing: what its set has told is as it was.
  const isReplaced = run.retried_by !== null || run.continued_by !== null;
  if (set === undefined || set.ended_at === null || isReplaced) return;
  reopenSet(step, set);
  if (slotRuns(step.tree, set.delegation_id).every(({ state }) => isEnded(state))) endSet(step, set.delegation_id);
}
