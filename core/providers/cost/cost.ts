import type { CostStatus, Price, Tokens } from '../../protocol/usage.ts';

/** Money of a run: null exactly when the status is `unknown` (R5). */
export interface Cost {
  /** USD, rounded to 6 decimal places. */
  readonly cost_usd: number | null;
  readonly cost_status: CostStatus;
}

/**
 * USD of the tokens, each counted once at its own rate (R6), rounded half up to 6 decimal places in whole numbers, so that no
 * binary fraction creeps in. A cache rate that the price does not state is the input rate: never less than the bill.
 */
export function costOf(tokens: Tokens, price: Price): number {
  const total =
    BigInt(tokens.input) * perToken(price.input) +
    BigInt(tokens.cached_input) * perToken(price.cachedInput ?? price.input) +
    BigInt(tokens.cache_write) * perToken(price.cacheWrite ?? price.input) +
    BigInt(tokens.output + tokens.reasoning) * perToken(price.output);
  return Number((total + 500_000n) / 1_000_000n) / 1e6;
}

/** What a run cost: what its agent reported comes before our estimate; without a price it is unknown, never 0 (case 24). */
export function runCost(tokens: Tokens, price: Price | null, reportedUsd: number | null): Cost {
  if (reportedUsd !== null) return { cost_usd: roundUsd(reportedUsd), cost_status: 'reported' };
  if (price === null) return { cost_usd: null, cost_status: 'unknown' };
  return { cost_usd: costOf(tokens, price), cost_status: 'estimated' };
}

/** USD rounded half up to 6 decimal places, by its decimal digits: 0.1234567 → 0.123457, 1.0000005 → 1.000001. */
export function roundUsd(usd: number): number {
  const digits = String(usd);
  const micros = digits.includes('e') ? usd * 1e6 : Number(`${digits}e6`);
  return Math.round(micros) / 1e6;
}

/** USD per million tokens as a whole number of 10⁻¹² USD per token; prices have at most 6 decimal places. */
function perToken(usdPerMillion: number): bigint {
  return BigInt(Math.round(usdPerMillion * 1e6));
}
