import { z } from 'zod';

/** Tokens of one or more model requests; each token counts in exactly one member (R6). */
export const Tokens = z.object({
  /** Input tokens that were neither read from nor written to a cache. */
  input: z.number().int().nonnegative(),
  cached_input: z.number().int().nonnegative(),
  cache_write: z.number().int().nonnegative(),
  /** Output tokens without reasoning. */
  output: z.number().int().nonnegative(),
  reasoning: z.number().int().nonnegative(),
});
export type Tokens = z.infer<typeof Tokens>;

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

/** All tokens of a record together. */
export function totalTokens(tokens: Tokens): number {
  return tokens.input + tokens.cached_input + tokens.cache_write + tokens.output + tokens.reasoning;
}

/** Where a cost comes from; `unknown` is never shown as 0 (R5). */
export const CostStatus = z.enum(['reported', 'estimated', 'included', 'unknown']);
export type CostStatus = z.infer<typeof CostStatus>;

/** USD per million tokens, pinned at the start of a run (R6). */
export const Price = z.object({
  input: z.number().nonnegative(),
  cachedInput: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});
export type Price = z.infer<typeof Price>;
