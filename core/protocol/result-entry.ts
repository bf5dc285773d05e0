import { z } from 'zod';
import { ExitReason, FailureReason, Outcome } from './outcome.ts';
import { ProcessName } from './report.ts';
import { CostStatus, Tokens } from './usage.ts';

/** What became of a task's verify commands (acceptance). */
export const AcceptanceResult = z.object({
  status: z.enum(['none', 'passed', 'failed']),
  commands: z.array(
    z.object({ command: z.string(), exit_code: z.number().int().nullable(), seconds: z.number(), output: z.string() }),
  ),
});
export type AcceptanceResult = z.infer<typeof AcceptanceResult>;

/** What was found in a run's worktree at its end (W3); null means not measured. */
export const WorktreeResult = z.object({
  path: z.string(),
  branch: z.string(),
  base_commit: z.string(),
  commits: z.number().int().nullable(),
  dirty: z.boolean().nullable(),
  kept: z.boolean(),
  inspection_failed: z.object({ probe: z.string(), exit_code: z.number().nullable(), stderr: z.string() }).optional(),
  note: z.string().optional(),
});
export type WorktreeResult = z.infer<typeof WorktreeResult>;

/** The result of one run: one shape on every surface (delegation.md T6). */
export const ResultEntry = z.strictObject({
  delegation_id: z.string().nullable(),
  run_id: z.string(),
  task_index: z.number().int().nonnegative().nullable(),
  label: z.string().nullable(),
  goal: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  status: Outcome,
  exit_reason: ExitReason,
  truncated: z.boolean(),
  summary: z.string(),
  error: z.string().optional(),
  failure_reason: FailureReason.optional(),
  turns: z.number().int().nonnegative(),
  tool_calls: z.number().int().nonnegative(),
  duration_seconds: z.number().nonnegative(),
  tokens: Tokens,
  /** Six decimal places; null while the price is unknown. */
  cost_usd: z.number().nonnegative().nullable(),
  cost_status: CostStatus,
  output: z.unknown().optional(),
  schema_valid: z.boolean().optional(),
  schema_retries: z.number().int().positive().optional(),
  schema_errors: z.array(z.string()).optional(),
  acceptance: AcceptanceResult.optional(),
  text_cut: z.boolean().optional(),
  missed_steer: z.array(z.string()).optional(),
  worktree: WorktreeResult.nullable().optional(),
  files_read: z.array(z.string()),
  files_written: z.array(z.string()),
  /** Id to ask the transcript with. */
  transcript: z.string(),
  summary_truncated: z.boolean().optional(),
  summary_path: z.string().optional(),
  background: z.array(ProcessName).optional(),
  survivors: z.array(ProcessName).optional(),
  retry_of: z.string().optional(),
  continues: z.string().optional(),
});
export type ResultEntry = z.infer<typeof ResultEntry>;

/** Status of a set (T5). */
export const SetStatus = z.enum(['running', 'completed', 'stopped', 'partial', 'failed']);
export type SetStatus = z.infer<typeof SetStatus>;

/** Sums over a set or conversation (T5). */
export const Totals = z.object({
  completed: z.number().int(),
  failed: z.number().int(),
  stopped: z.number().int(),
  timed_out: z.number().int(),
  lost: z.number().int(),
  truncated: z.number().int(),
  acceptance_failed: z.number().int(),
  tokens: Tokens,
  cost_usd: z.number().nonnegative().nullable(),
  duration_seconds: z.number().nonnegative(),
  nested: z.object({ runs: z.number().int(), failed: z.number().int() }),
});
export type Totals = z.infer<typeof Totals>;

/** What `espalier run --json` prints. */
export const SetResult = z.object({
  conversation_id: z.string(),
  delegation_id: z.string(),
  set: z.number().int().positive(),
  status: SetStatus,
  results: z.array(ResultEntry),
  totals: Totals,
});
export type SetResult = z.infer<typeof SetResult>;

/** What `espalier prompt --json` prints. */
export const PromptResult = z.object({
  conversation_id: z.string(),
  run_id: z.string(),
  status: Outcome,
  result: ResultEntry,
  totals: Totals,
});
export type PromptResult = z.infer<typeof PromptResult>;
