import type { RunRow } from '../../core/protocol/rows.ts';
import type { LiveState } from './live-state.ts';

type Rows = Pick<LiveState, 'runs' | 'runsOf'>;

const nextOf = (rows: Pick<LiveState, 'runs'>, run: RunRow): RunRow | undefined => {
  const next = run.retried_by ?? run.continued_by;
  return next === null ? undefined : rows.runs.get(next);
};

/** The latest run of each task of a set, in the order of tasks: a retried or continued run gives its place to the next. */
export function currentRuns(rows: Rows, delegationId: string): readonly RunRow[] {
  const runs = (rows.runsOf.get(delegationId) ?? []).flatMap((id) => rows.runs.get(id) ?? []);
  return runs.filter((run) => nextOf(rows, run) === undefined);
}

/** The run that has the slot of this one now: what hung off the earlier one hangs off it. */
export function currentOf(rows: Pick<LiveState, 'runs'>, id: string): string {
  const seen = new Set<string>();
  for (let run = rows.runs.get(id); run !== undefined && !seen.has(run.run_id);) {
    seen.add(run.run_id);
    const next = nextOf(rows, run);
    if (next === undefined) return run.run_id;
    run = next;
  }
  return id;
}
