import type { Verdict } from '../protocol/outcome.ts';
import type { RunReport } from '../protocol/report.ts';
import type { ProcessName } from '../protocol/report.ts';
import type { ResultEntry } from '../protocol/result-entry.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { Task } from '../protocol/batch.ts';

/** Everything that a result entry is made of. */
export interface EntryParts {
  readonly row: RunRow;
  readonly task: Task;
  readonly verdict: Verdict;
  readonly report: RunReport | null;
  readonly survivors: readonly ProcessName[];
  readonly missedSteer: readonly string[];
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

function endPart({ row, verdict, report, survivors, missedSteer }: EntryParts): Partial<ResultEntry> {
  return {
    ...(verdict.error === null ? {} : { error: verdict.error }),
    ...(verdict.failure_reason === null ? {} : { failure_reason: verdict.failure_reason }),
    ...(verdict.text_cut ? { text_cut: true } : {}),
    ...(missedSteer.length > 0 ? { missed_steer: [...missedSteer] } : {}),
    ...(report !== null && report.background.length > 0 ? { background: report.background } : {}),
    ...(survivors.length > 0 ? { survivors: [...survivors] } : {}),
    ...(row.retry_of === null ? {} : { retry_of: row.retry_of }),
    ...(row.continues === null ? {} : { continues: row.continues }),
  };
}

/** The result entry of a run (T6). Pure. */
export function makeResultEntry(parts: EntryParts): ResultEntry {
  const { row, task, verdict, report } = parts;
  const progress = report?.progress;
  return {
    delegation_id: row.delegation_id,
    run_id: row.run_id,
    task_index: row.task_index,
    label: row.label,
    goal: row.goal,
    agent: row.agent,
    model: row.model,
    status: verdict.outcome,
    exit_reason: verdict.exit_reason,
    truncated: verdict.truncated,
    summary: report?.answer ?? '',
    turns: progress?.turns ?? row.turns,
    tool_calls: progress?.tool_calls ?? row.tool_calls,
    duration_seconds: Math.round((progress?.active_seconds ?? row.active_seconds) * 1000) / 1000,
    tokens: progress?.tokens ?? row.tokens,
    cost_usd: progress ? progress.cost_usd : row.cost_usd,
    cost_status: progress?.cost_status ?? row.cost_status,
    files_read: report?.files_read ?? [],
    files_written: report?.files_written ?? [],
    transcript: row.run_id,
    ...schemaPart(task, report),
    ...endPart(parts),
  };
}
