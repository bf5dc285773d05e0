import type { ModelFailure } from '../failures/failure.ts';

/** Milliseconds. The first wait, the longest that we choose, and the longest that a provider may ask for (R8). */
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
const LONGEST_ASKED_MS = 15 * 60_000;
/** Waits differ by this share, so that many runs do not come back in step. */
const SPREAD = 0.2;

/** What to do after a failed try. */
export type RetryDecision =
  | {
      readonly type: 'retry';
      readonly delayMs: number;
      /** Wall-clock milliseconds. */
      readonly until: number;
    }
  | { readonly type: 'give_up'; readonly message: string };

/**
 * Decides on the next try (R8). `attempt` is the number of tries made so far, at least 1; `maxTries` counts all of them, the
 * first too; `random` is in [0, 1). 1 s doubling to 60 s, ± 20 %; a wait that the provider asks for is never cut short, only
 * lengthened a little, and one of more than 15 minutes is not waited for: the message names the time.
 */
export function nextRetry(input: {
  attempt: number;
  failure: ModelFailure;
  now: number;
  random: number;
  maxTries: number;
}): RetryDecision {
  const { attempt, failure, now, random, maxTries } = input;
  if (!failure.retryable) return { type: 'give_up', message: failure.message };
  const asked = failure.retryAfterMs ?? 0;
  if (asked > LONGEST_ASKED_MS) {
    return { type: 'give_up', message: `${failure.message} — asks to wait until ${timeText(now + asked)}` };
  }
  if (attempt >= maxTries) {
    const tries = attempt === 1 ? '' : ` — gave up after ${attempt} tries`;
    return { type: 'give_up', message: `${failure.message}${tries}` };
  }
  const delayMs = Math.ceil(asked > 0 ? asked + spreadAfter(asked, random) : backoff(attempt, random));
  return { type: 'retry', delayMs, until: now + delayMs };
}

/** Extra milliseconds, so that all who wait for the same moment do not come at once. */
export function spreadAfter(waitMs: number, random: number): number {
  return SPREAD * Math.min(waitMs, LONGEST_MS) * random;
}

function backoff(attempt: number, random: number): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return base * (1 - SPREAD + 2 * SPREAD * random);
}

function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
