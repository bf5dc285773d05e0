import { z } from 'zod';

/** How a run ended (delegation.md T2). Separate from its lifecycle state, and from its caveats (T4). */
export const Outcome = z.enum(['completed', 'failed', 'stopped', 'timed_out', 'lost']);
export type Outcome = z.infer<typeof Outcome>;

/** Why the run came to its end (T2, column exit_reason). */
export const ExitReason = z.enum([
  'done',
  'max_turns',
  'max_tool_calls',
  'max_tokens',
  'budget',
  'error',
  'process_died',
  'not_started',
  'refused',
  'stalled',
  'stopped',
  'dependency',
  'timeout',
  'unknown',
]);
export type ExitReason = z.infer<typeof ExitReason>;

/** What failed (T2, column failure_reason). */
export const FailureReason = z.enum([
  'empty_answer',
  'exit_status',
  'schema',
  'tool',
  'auth',
  'billing',
  'rate_limit',
  'overloaded',
  'model_not_found',
  'context_overflow',
  'content_filter',
  'network',
  'server_error',
  'bad_request',
  'process',
  'agent_not_found',
  'tool_unavailable',
  'isolation',
  'permission',
  'storage',
  'budget',
  'stalled',
  'internal',
]);
export type FailureReason = z.infer<typeof FailureReason>;

/** The provider and agent errors among the failure reasons: what a model request can end with. */
export const ProviderFailure = FailureReason.extract([
  'auth',
  'billing',
  'rate_limit',
  'overloaded',
  'model_not_found',
  'context_overflow',
  'content_filter',
  'network',
  'server_error',
  'bad_request',
]);
export type ProviderFailure = z.infer<typeof ProviderFailure>;

/** What the row of a completed run must say beside its outcome (T4). */
export const Caveat = z.enum(['truncated', 'acceptance_failed']);
export type Caveat = z.infer<typeof Caveat>;

/** The verdict on an ended run: everything that T2 and T4 tell apart. */
export const Verdict = z.object({
  outcome: Outcome,
  exit_reason: ExitReason,
  failure_reason: FailureReason.nullable(),
  truncated: z.boolean(),
  /** What went wrong, in one plain message; null for a clean end. */
  error: z.string().nullable(),
  /** The answer was cut by a stop, deadline or error. */
  text_cut: z.boolean(),
});
export type Verdict = z.infer<typeof Verdict>;
