import type { Tokens } from './usage.ts';

/** No tokens at all. This file has no schema, so that a worker can have the sums without loading zod. */
export const NO_TOKENS: Tokens = { input: 0, cached_input: 0, cache_write: 0, output: 0, reasoning: 0 };

/** The member-wise sum. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    cached_input: a.cached_input + b.cached_input,
    cache_write: a.cache_write + b.cache_write,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

/** What `a` has more than `b`, member by member. */
export function subtractTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input - b.input,
    cached_input: a.cached_input - b.cached_input,
    cache_write: a.cache_write - b.cache_write,
    output: a.output - b.output,
    reasoning: a.reasoning - b.reasoning,
  };
}

/** All tokens of a record together. */
export function totalTokens(tokens: Tokens): number {
  return tokens.input + tokens.cached_input + tokens.cache_write + tokens.output + tokens.reasoning;
}
