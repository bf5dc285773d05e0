import type { ExitReason, FailureReason } from '../../protocol/outcome.ts';

/** What is known about a failure that can be mended. */
export interface Failure {
  readonly failure_reason: FailureReason | null;
  readonly exit_reason: ExitReason;
  /** Id of the agent. */
  readonly agent: string;
  /** `<provider id>/<model>`, or null. */
  readonly model: string | null;
  /** Milliseconds since the epoch of the automatic retry, if one is planned. */
  readonly retry_at: number | null;
}

const LIMIT_ADVICE: Partial<Record<ExitReason, string>> = {
  max_turns: 'raise limits.max_turns',
  max_tool_calls: 'raise limits.max_tool_calls',
  max_tokens: 'raise limits.max_tokens',
  budget: 'raise the money limit',
  timeout: 'raise limits.timeout_seconds',
  stalled: 'retry it, or raise limits.idle_timeout_seconds',
};

const REASON_ADVICE: Partial<Record<FailureReason, (failure: Failure) => string>> = {
  auth: ({ agent, model }) => `sign in or set the key of ${model?.split('/')[0] ?? agent}`,
  billing: ({ agent, model }) => `check the account of ${model?.split('/')[0] ?? agent}`,
  rate_limit: () => 'retry it later, or lower the concurrency',
  overloaded: () => 'retry it later',
  network: () => 'check the connection and the address of the provider',
  model_not_found: () => 'choose another model',
  context_overflow: () => 'give it less context, or a model with a larger window',
  agent_not_found: ({ agent }) => `install ${agent}, or choose another agent`,
  isolation: () => 'use isolation none, or make the project a git repository with a commit',
  permission: () => 'allow it in the inbox, or choose a wider permission mode',
  storage: () => 'make room on the disk',
  budget: () => 'raise the limit of money or places',
};

/** Local time as `HH:MM`. */
function clockTime(milliseconds: number): string {
  const at = new Date(milliseconds);
  return `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
}

/** What to do about a failure, where it is known (L5); null where it is not. */
export function adviceFor(failure: Failure): string | null {
  if (failure.retry_at !== null) return `retried at ${clockTime(failure.retry_at)}`;
  const limit = LIMIT_ADVICE[failure.exit_reason];
  if (limit !== undefined) return limit;
  return (failure.failure_reason && REASON_ADVICE[failure.failure_reason]?.(failure)) ?? null;
}
