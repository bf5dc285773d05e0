import { useRun } from '../../app/live-rows.ts';
import { formatCount } from '../../shared/format.ts';
import { mayHaveChanges, useChanges } from './use-changes.ts';

/** The number of changed files, for the tab; nothing while it is none or not known. */
export function ChangesCount({ runId }: { readonly runId: string }) {
  const run = useRun(runId);
  // While it works only the open tab asks: a diff of a large worktree is not free.
  const { data } = useChanges(run, run !== undefined && run.ended_at !== null && mayHaveChanges(run));
  const count = data?.files.length ?? 0;
  return count === 0 ? null : <span className="ml-1 font-reg text-ink-3">{formatCount(count)}</span>;
}
