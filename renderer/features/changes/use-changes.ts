import { useQuery } from '@tanstack/react-query';
import { isEnded } from '../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { api } from '../../app/client.ts';

/** While a run is at work, its changes are asked for anew at most this often. */
const LIVE_MS = 4000;

/** What a run changed. Asked again when the run ends, or something became of its worktree; while it works, now and then. */
export function useChanges(run: RunRow | undefined, enabled: boolean) {
  const options = api.changes.show.queryOptions({ input: { run_id: run?.run_id ?? '' } });
  const ended = run !== undefined && isEnded(run.state);
  return useQuery({
    ...options,
    queryKey: [...options.queryKey, run?.ended_at, run?.worktree?.state, run?.worktree?.applied],
    // What is on screen stays until the new answer is there; a view is of one run for all its life.
    placeholderData: (before) => before,
    enabled: enabled && run !== undefined,
    staleTime: ended ? 60_000 : 0,
    refetchInterval: ended ? false : LIVE_MS,
  });
}

/** Whether a run can have changed anything that we know of. */
export function mayHaveChanges(run: Pick<RunRow, 'runner' | 'worktree' | 'isolation'>): boolean {
  return run.runner === 'builtin' || run.worktree !== null || run.isolation === 'worktree';
}
