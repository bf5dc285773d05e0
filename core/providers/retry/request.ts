import { delay } from '../../kit/clock.ts';
import type { Random } from '../../kit/random.ts';
import { NO_TOKENS, addTokens } from '../../protocol/token-sums.ts';
import type { Tokens } from '../../protocol/usage.ts';
import type { ModelFailure } from '../failures/failure.ts';
import type { ModelRequest } from '../messages/message.ts';
import type { ModelBundle } from '../models/bundle.ts';
import type { ModelEvent } from '../stream/events.ts';
import { streamModel } from '../stream/stream-model.ts';
import type { StreamOptions } from '../stream/stream-model.ts';
import type { KeyHolds } from './key-holds.ts';
import { nextRetry, spreadAfter } from './policy.ts';

/**
 * As {@link ModelEvent}, with these between the tries. `usage` counts all tries of the request together; `failure` comes only
 * when no further try is made, and its message says why.
 */
export type RequestEvent =
  | ModelEvent
  /**
   * A try broke off after it had begun to answer. Close the open text as partial if `keep`; else drop it, because an earlier
   * partial text holds it already (it is kept once, R8). What follows begins anew. Tool calls of the try are void.
   */
  | { readonly type: 'attempt_broken'; readonly keep: boolean; readonly text: string }
  /** Waiting till `until` (wall-clock milliseconds) before the try `attempt`. `failure` is null when only held with others. */
  | {
      readonly type: 'retry_wait';
      readonly until: number;
      readonly attempt: number;
      readonly failure: ModelFailure | null;
    }
  /** The wait is over; try `attempt` (the first is 1) begins. */
  | { readonly type: 'retry_start'; readonly attempt: number };

export interface RetryOptions extends StreamOptions {
  readonly random: Random;
  /** Requests in all, the first too; at least 1 (R8: 5). */
  readonly maxTries: number;
  readonly holds: KeyHolds;
}

/**
 * One request to a model with the retries of R8. A stop ends a wait at once. A provider's wish to wait is shared through
 * `holds`, and a hold found there is kept before every try; being held is no try.
 */
export async function* requestWithRetries(
  bundle: ModelBundle,
  request: ModelRequest,
  options: RetryOptions,
): AsyncGenerator<RequestEvent, void, undefined> {
  const tries = new TryRecord();
  for (let attempt = 1; ; attempt += 1) {
    if (!(yield* waitWhileHeld(bundle, attempt, options))) return yield { type: 'aborted' };
    const failure = yield* oneTry(bundle, request, options, tries);
    if (!failure) return;
    const now = options.clock.now();
    const random = options.random.fraction();
    const decision = nextRetry({ attempt, failure, now, random, maxTries: options.maxTries });
    if (failure.reason === 'rate_limit' || failure.retryAfterMs !== null) shareHold(bundle, failure, decision, options);
    const broken = tries.end();
    if (broken) yield broken;
    if (decision.type === 'give_up') {
      return yield { type: 'failure', failure: { ...failure, message: decision.message } };
    }
    yield { type: 'retry_wait', until: decision.until, attempt: attempt + 1, failure };
    if (!(await waited(decision.delayMs, options))) return yield { type: 'aborted' };
    yield { type: 'retry_start', attempt: attempt + 1 };
  }
}

/** Passes the events of one try on, all but its failure, which it returns. */
async function* oneTry(
  bundle: ModelBundle,
  request: ModelRequest,
  options: RetryOptions,
  tries: TryRecord,
): AsyncGenerator<RequestEvent, ModelFailure | null, undefined> {
  for await (const event of streamModel(bundle, request, options)) {
    if (event.type === 'failure') return event.failure;
    yield event.type === 'usage' ? { type: 'usage', tokens: tries.count(event.tokens) } : event;
    tries.see(event);
  }
  return null;
}

/** False when the signal ended the wait. Each look may find a longer hold, or another who waited came first and was refused. */
async function* waitWhileHeld(
  bundle: ModelBundle,
  attempt: number,
  options: RetryOptions,
): AsyncGenerator<RequestEvent, boolean, undefined> {
  let waitedOnce = false;
  for (;;) {
    const held = options.holds.heldFor(bundle);
    if (held === null) break;
    const ms = Math.ceil(held + spreadAfter(held, options.random.fraction()));
    yield { type: 'retry_wait', until: options.clock.now() + ms, attempt, failure: null };
    if (!(await waited(ms, options))) return false;
    waitedOnce = true;
  }
  if (waitedOnce) yield { type: 'retry_start', attempt };
  return true;
}

async function waited(ms: number, options: RetryOptions): Promise<boolean> {
  try {
    await delay(options.clock, ms, options.signal);
    return true;
  } catch (error) {
    if (options.signal.aborted) return false;
    throw error;
  }
}

function shareHold(
  bundle: ModelBundle,
  failure: ModelFailure,
  decision: ReturnType<typeof nextRetry>,
  { holds }: RetryOptions,
): void {
  // The asked time, without our own spread: each run adds its own. A wait too long to be waited for holds nobody.
  if (decision.type === 'retry') holds.found(bundle, failure.retryAfterMs || decision.delayMs);
}

/** What the tries of one request left behind. */
class TryRecord {
  #spent: Tokens = NO_TOKENS;
  #current: Tokens = NO_TOKENS;
  #text = '';
  #began = false;
  readonly #kept: string[] = [];

  /** The tokens of all tries, when the current one stands at `tokens`. */
  count(tokens: Tokens): Tokens {
    this.#current = tokens;
    return addTokens(this.#spent, tokens);
  }

  see(event: ModelEvent): void {
    if (event.type === 'text_delta') this.#text += event.text;
    if (event.type !== 'usage') this.#began = true;
  }

  /** Ends the current try; null when it had shown nothing. */
  end(): RequestEvent | null {
    const text = this.#text;
    const began = this.#began;
    this.#spent = addTokens(this.#spent, this.#current);
    this.#current = NO_TOKENS;
    this.#text = '';
    this.#began = false;
    if (!began) return null;
    const keep = text !== '' && !this.#kept.some((kept) => kept.startsWith(text));
    if (keep) this.#kept.push(text);
    return { type: 'attempt_broken', keep, text };
  }
}
