import type { Verdict } from '../protocol/outcome.ts';
import type { ProcessName, RunReport } from '../protocol/report.ts';
import type { ResultEntry } from '../protocol/result-entry.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { Task } from '../protocol/batch.ts';
import type { Closed } from '../runs/closing.ts';
import { roundUsd } from '../runs/money.ts';

/** Everything that a result entry is made of. */
export interface EntryParts {
  readonly row: RunRow;
  readonly task: Task;
  readonly verdict: Verdict;
  readonly report: RunReport | null;
  readonly survivors: readonly ProcessName[];
  /** What was found below its worker when that had ended, and was ended then (C4). */
  readonly left: readonly ProcessName[];
  readonly missedSteer: readonly string[];
  /** Null when the run ended without being closed. */
  readonly closed: Closed | null;
}

function schemaPart(task: Task, report: RunReport | null): Partial<ResultEntry> {
  if (task.output_schema === null) return {};
  const schema = report?.schema ?? null;
  return {
    ...(report?.output === undefined ? {} : { output: report.output }),
    schema_valid: schema?.valid === true,
    ...(schema !== null && schema.retries > 0 ? { schema_retries: schema.retries } : {}),
    ...(schema !== null && !schema.valid && schema.errors.length > 0 ? { schema_errors: schema.errors } : {}),
  };
}

/** Present only when they were asked for (T6). Verify commands of a run that did not complete have not run. */
function closedPart({ row, task, closed }: EntryParts): Partial<ResultEntry> {
  const acceptance = closed?.acceptance ?? { status: 'none' as const, commands: [] };
  return {
    ...(task.acceptance === null ? {} : { acceptance }),
    ...(row.isolation === 'worktree' ? { worktree: closed?.worktree ?? null } : {}),
  };
}

function endPart(parts: EntryParts): Partial<ResultEntry> {
  const { row, verdict, survivors, missedSteer } = parts;
  return {
    ...(verdict.error === null ? {} : { error: verdict.error }),
    ...(verdict.failure_reason === null ? {} : { failure_reason: verdict.failure_reason }),
    ...(verdict.text_cut ? { text_cut: true } : {}),
    ...(missedSteer.length > 0 ? { missed_steer: [...missedSteer] } : {}),
    ...backgroundPart(parts),
    ...(survivors.length > 0 ? { survivors: survivors.map(({ pid, command }) => ({ pid, command })) } : {}),
    ...(row.retry_of === null ? {} : { retry_of: row.retry_of }),
    ...(row.continues === null ? {} : { continues: row.continues }),
  };
}

/**
 * Background processes that a normal end has ended (C4). Those that commands of our own loop have left are found when its worker is gone; programs of others
 * tell theirs, and what else is below them then are helpers of their own.
 */
function backgroundPart({ row, report, left }: EntryParts): Pick<ResultEntry, 'background'> {
  if (report === null) return {};
  const told = report.background;
  const more = row.runner === 'builtin' && report.cut_by === null ? left : [];
  const found = more.filter(({ pid }) => told.every((each) => each.pid !== pid));
  const background = [...told, ...found.map(({ pid, command }) => ({ pid, command }))];
  return background.length > 0 ? { background } : {};
}

/** What the run has used: by its own last word, else by what it told on the way. */
function spentPart({ row, report }: EntryParts): Spent {
  const { turns, tool_calls, tokens, cost_usd, cost_status, active_seconds } = report?.progress ?? row;
  return {
    turns,
    tool_calls,
    duration_seconds: Math.round(active_seconds * 1000) / 1000,
    tokens,
    cost_usd: cost_usd === null ? null : roundUsd(cost_usd),
    cost_status,
  };
}

type Spent = Pick<ResultEntry, 'turns' | 'tool_calls' | 'duration_seconds' | 'tokens' | 'cost_usd' | 'cost_status'>;

/** The result entry of a run (T6). Pure. */
export function makeResultEntry(parts: EntryParts): ResultEntry {
  const { row, task, verdict, report } = parts;
  return {
    delegation_id: row.delegation_id,
    run_id: row.run_id,
    task_index: row.task_index,
    label: row.label,
    goal: row.goal,
    agent: row.agent,
    model: report?.model ?? row.model,
    status: verdict.outcome,
    exit_reason: verdict.exit_reason,
    truncated: verdict.truncated,
    summary: report?.answer ?? '',
    ...spentPart(parts),
    files_read: report?.files_read ?? [],
    files_written: report?.files_written ?? [],
    transcript: row.run_id,
    ...schemaPart(task, report),
    ...closedPart(parts),
    ...endPart(parts),
  };
}
