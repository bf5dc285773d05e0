import { taskName } from '../../delegation/lines/set-lines.ts';
import { isSteerable } from '../../protocol/lifecycle.ts';
import type { RunRow } from '../../protocol/rows.ts';

/** A run as `list` shows it everywhere (C1). */
export interface ListRow {
  readonly run_id: string;
  readonly parent_run_id: string | null;
  readonly set: number | null;
  readonly task_index: number | null;
  readonly label: string;
  readonly agent: string;
  readonly model: string | null;
  readonly state: string;
  readonly reason?: string;
  readonly outcome: string | null;
  readonly running_seconds: number;
  readonly turns: number;
  readonly cost_usd: number | null;
  readonly accepting_steer: boolean;
  readonly last_activity: string | null;
  readonly transcript: string;
}

/** The row of a run in a list (C1). */
export function listRow(run: RunRow): ListRow {
  return {
    run_id: run.run_id,
    parent_run_id: run.parent_run_id,
    set: run.set,
    task_index: run.task_index,
    label: taskName(run, 60),
    agent: run.agent,
    model: run.model,
    state: run.state,
    ...(run.reason === null ? {} : { reason: run.reason }),
    outcome: run.outcome,
    running_seconds: Math.round(run.active_seconds * 10) / 10,
    turns: run.turns,
    cost_usd: run.cost_usd,
    accepting_steer: isSteerable(run.state) && run.runner !== 'command',
    last_activity: run.activity,
    transcript: run.run_id,
  };
}
