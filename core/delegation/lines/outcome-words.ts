import { assertNever } from '../../kit/assert-never.ts';
import type { FailureReason, Outcome } from '../../protocol/outcome.ts';

/** Plain words for a failure whose error text is empty. */
const REASON_WORDS: Record<FailureReason, string> = {
  empty_answer: 'ended without an answer',
  exit_status: 'the program ended with an error',
  schema: 'the answer does not match the schema',
  tool: 'its last tool call failed',
  auth: 'the provider refused the key',
  billing: 'the provider refused for billing reasons',
  rate_limit: 'the rate limit of the provider did not clear',
  overloaded: 'the provider is overloaded',
  model_not_found: 'the provider does not know the model',
  context_overflow: 'the text is longer than the model can read',
  content_filter: 'the provider filtered the content',
  network: 'the provider cannot be reached',
  server_error: 'the provider failed',
  bad_request: 'the provider refused the request',
  process: 'the process died',
  agent_not_found: 'the agent program was not found',
  tool_unavailable: 'a tool that it needs is not there',
  isolation: 'no worktree could be made',
  permission: 'a permission was denied',
  storage: 'it could not be stored',
  budget: 'no money or places left',
  stalled: 'no progress',
  internal: 'an error inside Espalier',
};

/** What to say of an ended run that left no error text. */
export function outcomeWords(outcome: Outcome, reason: FailureReason | null): string {
  switch (outcome) {
    case 'completed':
      return 'completed';
    case 'stopped':
      return 'stopped';
    case 'timed_out':
      return 'the deadline passed';
    case 'lost':
      return 'nobody can prove what happened to it';
    case 'failed':
      return reason === null ? 'failed' : REASON_WORDS[reason];
    default:
      return assertNever(outcome);
  }
}
