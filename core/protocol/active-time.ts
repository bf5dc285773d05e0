import type { RunRow } from './rows.ts';

/** Active seconds of a run at the time `now` (epoch ms); grows only while the run is active (R7). */
export function activeSeconds(run: Pick<RunRow, 'active_seconds' | 'active_since'>, now: number): number {
  return run.active_since === null
    ? run.active_seconds
    : run.active_seconds + Math.max(0, now - run.active_since) / 1000;
}
