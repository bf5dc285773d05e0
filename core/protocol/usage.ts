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
