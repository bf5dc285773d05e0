import type { SetRow } from '../../../core/protocol/rows.ts';
import { useSet } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { useBatch } from './batch-store.ts';

/** The set that the tasks are for; undefined when they make one of their own. */
export const useTargetSet = (): SetRow | undefined => useSet(useBatch((state) => state.into));

/** Whether the set that the tasks are for has ended, and takes no more (S8). */
export function setHasEnded(): boolean {
  const { into } = useBatch.getState();
  const row = into === null ? undefined : useLive.getState().sets.get(into);
  return row !== undefined && row.ended_at !== null;
}
