import type { RetryEdits } from '../../app/again.ts';

/** What the form of a retry holds. */
export interface RetryForm {
  readonly goal: string;
  readonly agent: string;
  /** Empty: the agent's own choice. */
  readonly model: string;
}

/** What differs from the earlier run: only that is said, what is not named stays as it was (C5). */
export function editsOf(before: RetryForm, after: RetryForm): RetryEdits {
  return {
    ...(after.goal === before.goal ? {} : { goal: after.goal }),
    ...(after.agent === before.agent ? {} : { agent: after.agent }),
    ...(after.model === before.model || after.model === '' ? {} : { model: after.model }),
  };
}
