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

function endPart({ row, verdict, report, survivors, missedSteer }: EntryParts): Partial<ResultEntry> {
  return {
    ...(verdict.error === null ? {} : { error: verdict.error }),
    ...(verdict.failure_reason === null ? {} : { failure_reason: verdict.failure_reason }),
    ...(verdict.text_cut ? { text_cut: true } : {}),
    ...(missedSteer.length > 0 ? { missed_steer: [...missedSteer] } : {}),
    ...(report !== null && report.background.length > 0 ? { background: report.background } : {}),
    ...(survivors.length > 0 ? { survivors: survivors.map(({ pid, command }) => ({ pid, command })) } : {}),
    ...(row.retry_of === null ? {} : { retry_of: row.retry_of }),
    ...(row.continues === null ? {} : { continues: row.continues }),
  };
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
