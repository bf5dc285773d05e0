import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_TOKENS } from '../../protocol/token-sums.ts';
import { costOf, roundUsd, runCost } from './cost.ts';

const OPUS = { input: 4, cachedInput: 0.2, cacheWrite: 5, output: 20 };

describe('money', () => {
  test('case 24: 0.1234567 → 0.123457', () => {
    expect(roundUsd(0.123_456_7)).toBe(0.123457);
    expect(runCost(NO_TOKENS, null, 0.123_456_7)).toEqual({ cost_usd: 0.123457, cost_status: 'reported' });
  });

  test.each([
    [1.000_000_5, 1.000001],
    [1.005, 1.005],
    [0.000_000_49, 0],
    [0.000_000_5, 0.000001],
    [1e-7, 0],
    [123_456.789_012_3, 123_456.789012],
    [0, 0],
  ])('%d → %d', (usd, rounded) => {
    expect(roundUsd(usd)).toBe(rounded);
  });

  test('case 24, B36: each token once at its own rate, by hand', () => {
    // 3 × 4 + 100,000 × 0.2 + 1,000 × 5 + (40 + 10) × 20 = 26,012 millionths
    const tokens = { input: 3, cached_input: 100_000, cache_write: 1000, output: 40, reasoning: 10 };
    expect(costOf(tokens, OPUS)).toBe(0.026012);
  });

  test('B36: a cache rate that is not stated is the input rate', () => {
    const tokens = { input: 1, cached_input: 2, cache_write: 3, output: 0, reasoning: 0 };
    expect(costOf(tokens, { input: 1_000_000, output: 1 })).toBe(6);
  });

  test('R6: half a millionth is rounded up, without binary fractions', () => {
    expect(costOf({ ...NO_TOKENS, input: 1 }, { input: 0.5, output: 0 })).toBe(0.000001);
    expect(costOf({ ...NO_TOKENS, input: 1 }, { input: 0.499999, output: 0 })).toBe(0);
    expect(costOf({ ...NO_TOKENS, input: 3 }, { input: 0.1, output: 0 })).toBe(0);
    expect(costOf({ ...NO_TOKENS, input: 4_035 }, { input: 1.1, output: 0 })).toBe(0.004439);
  });

  test('R6: never off by more than the rounding', () => {
    const count = fc.nat(10_000_000);
    fc.assert(
      fc.property(count, count, count, (input, cached_input, output) => {
        const exact = (input * 4 + cached_input * 0.2 + output * 20) / 1e6;
        const cost = costOf({ ...NO_TOKENS, input, cached_input, output }, OPUS);
        expect(Math.abs(cost - exact)).toBeLessThanOrEqual(0.000_000_5 + 1e-9);
      }),
    );
  });

  test('case 24: unknown price → unknown, never 0', () => {
    expect(runCost({ ...NO_TOKENS, input: 5 }, null, null)).toEqual({ cost_usd: null, cost_status: 'unknown' });
    expect(runCost({ ...NO_TOKENS, input: 1_000_000 }, OPUS, null)).toEqual({ cost_usd: 4, cost_status: 'estimated' });
  });
});
