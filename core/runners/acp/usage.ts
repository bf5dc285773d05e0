import type { UsageSupport } from '../../protocol/profiles/profile.ts';
import { addTokens, NO_TOKENS, subtractTokens } from '../../protocol/token-sums.ts';
import type { CostStatus, Tokens } from '../../protocol/usage.ts';
import { fieldsOf, listOf, numberOf, textOf, type Fields } from './wire.ts';

/** What an agent says that it used, in our counting: each token in exactly one member (R6). */
export class AgentUsage {
  readonly #support: UsageSupport;
  #tokens: Tokens = NO_TOKENS;
  /** Sums of the session so far, of an agent that tells sums. */
  #sums: Tokens = NO_TOKENS;
  #cost: number | null = null;
  /** What the session had cost before this attempt; null until the first word of it. */
  #costBefore: number | null;

  /** @param fresh the session begins with this attempt, so that all of its cost is this attempt's */
  constructor(support: UsageSupport, fresh: boolean) {
    this.#support = support;
    this.#costBefore = fresh ? 0 : null;
  }

  get tokens(): Tokens {
    return this.#tokens;
  }

  get cost(): { readonly cost_usd: number | null; readonly cost_status: CostStatus } {
    return { cost_usd: this.#cost, cost_status: this.#cost === null ? 'unknown' : 'reported' };
  }

  /** The agent tells what the session has cost so far. */
  update(update: Fields): void {
    const cost = fieldsOf(update['cost']);
    const amount = numberOf(cost['amount']);
    if (amount === null || (textOf(cost['currency']) ?? 'USD') !== 'USD') return;
    this.#costBefore ??= amount;
    this.#cost = Math.max(this.#cost ?? 0, amount - this.#costBefore);
  }

  /** A turn is over; true when the agent counted anything for it. */
  turn(result: Fields): boolean {
    const told = tokensOf(result);
    if (told === null) return false;
    const used = this.#support.tokens === 'session' ? difference(told, this.#sums) : told;
    if (this.#support.tokens === 'session') this.#sums = told;
    this.#tokens = addTokens(this.#tokens, used);
    return Object.values(used).some((count) => count > 0);
  }
}

function tokensOf(result: Fields): Tokens | null {
  const meta = fieldsOf(result['_meta']);
  const usage = fieldsOf(result['usage']);
  if (numberOf(usage['inputTokens']) !== null) return fromUsage(usage);
  // Gemini: a list of models, or one count.
  const quota = fieldsOf(meta['quota']);
  const models = listOf(quota['model_usage']).map(({ token_count: count }) => fieldsOf(count));
  const counts = models.length > 0 ? models : [fieldsOf(quota['token_count'])];
  const all = counts.map((count) => ({
    ...NO_TOKENS,
    input: whole(count['input_tokens']),
    output: whole(count['output_tokens']),
  }));
  const total = all.reduce(addTokens, NO_TOKENS);
  if (total.input + total.output > 0) return total;
  const other = fieldsOf(meta['usage']);
  return numberOf(other['inputTokens']) === null ? null : fromUsage(other);
}

/** Some count cached tokens in the input, and reasoning in the output; the total tells which (R6). */
function fromUsage(usage: Fields): Tokens {
  const input = whole(usage['inputTokens']);
  const output = whole(usage['outputTokens']);
  const cached = whole(usage['cachedReadTokens']);
  const written = whole(usage['cachedWriteTokens']);
  const reasoning = whole(usage['thoughtTokens']);
  const total = numberOf(usage['totalTokens']);
  const rest = total === null ? null : total - input - output;
  const cachedInside = rest !== null && cached + written > 0 && rest < cached + written;
  const reasoningInside = rest !== null && reasoning > 0 && rest < reasoning + (cachedInside ? 0 : cached + written);
  return {
    input: cachedInside ? Math.max(0, input - cached - written) : input,
    cached_input: cached,
    cache_write: written,
    output: reasoningInside ? Math.max(0, output - reasoning) : output,
    reasoning,
  };
}

function whole(value: unknown): number {
  return Math.max(0, Math.round(numberOf(value) ?? 0));
}

/** Sums that got smaller began anew. */
function difference(now: Tokens, before: Tokens): Tokens {
  const more = subtractTokens(now, before);
  return Object.values(more).some((count) => count < 0) ? now : more;
}
