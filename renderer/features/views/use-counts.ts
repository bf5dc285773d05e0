import { useMemo } from 'react';
import { isWorthRetrying } from '../../app/controls.ts';
import { currentRuns } from '../../app/current-runs.ts';
import { useShown } from '../../app/replay.ts';
import { countMarks, markOf, type Mark } from '../../shared/status.ts';

/** How the runs of a set stand, and how many *Retry failed* would take; new only when a count changes. */
export function useSetCounts(id: string): { readonly counts: ReadonlyMap<Mark, number>; readonly retryable: number } {
  const key = useShown((state) => {
    const runs = currentRuns(state, id);
    const counts = [...countMarks(runs.map(markOf))].map(([mark, count]) => `${mark} ${count}`);
    return [String(runs.filter(isWorthRetrying).length), ...counts].join(';');
  });
  return useMemo(() => {
    const [retryable, ...counts] = key.split(';');
    const pairs = counts.map((part) => part.split(' ')).map(([mark, count]) => [mark as Mark, Number(count)] as const);
    return { counts: new Map(pairs), retryable: Number(retryable) };
  }, [key]);
}
