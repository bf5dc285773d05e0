import { roundUsd, runCost } from '../../../providers/cost/cost.ts';
import type { Price, CostStatus, Tokens } from '../../../protocol/usage.ts';
import { NO_TOKENS, addTokens, totalTokens } from '../../../protocol/token-sums.ts';
import type { InFlight } from '../../../protocol/report.ts';
import type { SpendingLimits } from '../../contract.ts';
import type { Room } from './moves.ts';

/** Tokens of an answer whose most nobody knows. */
const USUAL_MOST = 32_000;

interface Account {
  readonly price: Price | null;
  tokens: Tokens;
}

/** What a run has spent: tokens of each model at that model's own price (R6), held against the run's limits (R5). */
export class Spending {
  #limits: SpendingLimits;
  readonly #accounts = new Map<string, Account>();
  #open: { readonly account: Account; tokens: Tokens } | null = null;
  #lastTokens: Tokens = NO_TOKENS;
  #lastUsd = 0;

  constructor(limits: SpendingLimits) {
    this.#limits = limits;
  }

  /** Other limits hold from now on. */
  limit(limits: SpendingLimits): void {
    this.#limits = limits;
  }

  /** What the open request costs at worst; null while none is open. `input` is about how many tokens it has. */
  worst(input: number, maxOutput: number | null): InFlight | null {
    if (!this.#open) return null;
    const { price } = this.#open.account;
    const tokens = { ...NO_TOKENS, input: Math.ceil(input), output: maxOutput ?? USUAL_MOST };
    return { tokens, cost_usd: usdOf({ price, tokens }) };
  }

  /** Begins to count a request to the model `ref`. */
  begin(ref: string, price: Price | null): void {
    const account = this.#accounts.get(ref) ?? { price, tokens: NO_TOKENS };
    this.#accounts.set(ref, account);
    this.#open = { account, tokens: NO_TOKENS };
  }

  /** All tokens of the open request so far. */
  count(tokens: Tokens): void {
    if (this.#open) this.#open.tokens = tokens;
  }

  /**
   * Ends the open request. `atLeast` is what it must have taken when it was cut before the provider counted: an estimate, never less than
   * what was counted.
   */
  close(atLeast: { readonly input: number; readonly output: number } = { input: 0, output: 0 }): void {
    if (!this.#open) return;
    const { account } = this.#open;
    const tokens = withEstimate(this.#open.tokens, atLeast);
    account.tokens = addTokens(account.tokens, tokens);
    this.#lastTokens = tokens;
    this.#lastUsd = usdOf({ price: account.price, tokens }) ?? 0;
    this.#open = null;
  }

  get tokens(): Tokens {
    return this.#all().reduce((sum, { tokens }) => addTokens(sum, tokens), NO_TOKENS);
  }

  /** Money so far; null as soon as one model's price is unknown, and before the first request. */
  get cost(): { cost_usd: number | null; cost_status: CostStatus } {
    const sums = this.#all().map(usdOf);
    if (sums.length === 0 || sums.some((usd) => usd === null)) return { cost_usd: null, cost_status: 'unknown' };
    return { cost_usd: roundUsd(sums.reduce<number>((sum, usd) => sum + (usd ?? 0), 0)), cost_status: 'estimated' };
  }

  /** How many requests like the last one still fit under the tightest limit, and which limit that is. */
  get room(): { room: Room; roomLimit: 'max_tokens' | 'budget' } {
    const { max_tokens, max_cost_usd } = this.#limits;
    const tokens =
      max_tokens === null ? 'plenty' : roomFor(max_tokens - totalTokens(this.tokens), totalTokens(this.#lastTokens));
    const usd = max_cost_usd === null ? 'plenty' : roomFor(max_cost_usd - (this.cost.cost_usd ?? 0), this.#lastUsd);
    return RANK[usd] < RANK[tokens] ? { room: usd, roomLimit: 'budget' } : { room: tokens, roomLimit: 'max_tokens' };
  }

  /** Tokens of the last request that was ended. */
  get lastTokens(): Tokens {
    return this.#lastTokens;
  }

  /** The limit that the open request has passed, when it has brought about `outputTokens` so far; null while it has not. */
  exceeded(outputTokens: number): 'max_tokens' | 'budget' | null {
    if (!this.#open) return null;
    const { max_tokens, max_cost_usd } = this.#limits;
    const { tokens, account } = this.#open;
    const unreported = Math.max(0, Math.ceil(outputTokens) - tokens.output - tokens.reasoning);
    if (max_tokens !== null && totalTokens(this.tokens) + unreported > max_tokens) return 'max_tokens';
    if (max_cost_usd === null) return null;
    const more = usdOf({ price: account.price, tokens: { ...NO_TOKENS, output: unreported } }) ?? 0;
    return (this.cost.cost_usd ?? 0) + more > max_cost_usd ? 'budget' : null;
  }

  #all(): Account[] {
    const open = this.#open;
    return [...this.#accounts.values()].map((account) =>
      account === open?.account ? { ...account, tokens: addTokens(account.tokens, open.tokens) } : account,
    );
  }
}

const RANK: Readonly<Record<Room, number>> = { none: 0, one_more: 1, plenty: 2 };

function withEstimate(counted: Tokens, atLeast: { readonly input: number; readonly output: number }): Tokens {
  const input = counted.input + counted.cached_input + counted.cache_write;
  return {
    ...counted,
    input: counted.input + Math.max(0, Math.ceil(atLeast.input) - input),
    output: counted.output + Math.max(0, Math.ceil(atLeast.output) - counted.output - counted.reasoning),
  };
}

function usdOf({ tokens, price }: Account): number | null {
  return runCost(tokens, price, null).cost_usd;
}

/** A conversation only grows, so the next request is taken to cost at least what the last one did. */
function roomFor(left: number, last: number): Room {
  if (left <= 0 || left < last) return 'none';
  return left < 2 * last ? 'one_more' : 'plenty';
}
