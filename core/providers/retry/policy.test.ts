import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelFailure } from '../failures/failure.ts';
import { nextRetry } from './policy.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const busy = modelFailure('overloaded', 'HTTP 529: busy', { status: 529 });

function delays(random: number): number[] {
  return Array.from({ length: 9 }, (_, index) => {
    const decision = nextRetry({ attempt: index + 1, failure: busy, now: NOW, random, maxTries: 99 });
    return decision.type === 'retry' ? decision.delayMs : -1;
  });
}

function asking(retryAfterMs: number) {
  return modelFailure('rate_limit', 'HTTP 429: slow down', { status: 429, retryAfterMs });
}

describe('R8: the next try', () => {
  test('R8: 1 s doubling to 60 s, plus or minus 20 %', () => {
    expect(delays(0.5)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(delays(0)[0]).toBe(800);
    expect(delays(0.999_999_9)[0]).toBe(1200);
  });

  test('R8: at most maxTries tries in all, then the number is named', () => {
    const at = (attempt: number) => nextRetry({ attempt, failure: busy, now: NOW, random: 0.5, maxTries: 5 });
    expect([1, 2, 3, 4].map((attempt) => at(attempt).type)).toEqual(['retry', 'retry', 'retry', 'retry']);
    expect(at(5)).toEqual({ type: 'give_up', message: 'HTTP 529: busy — gave up after 5 tries' });
  });

  test('R8: never after auth, billing, bad request, unknown model', () => {
    for (const reason of [
      'auth',
      'billing',
      'bad_request',
      'model_not_found',
      'context_overflow',
      'content_filter',
    ] as const) {
      const failure = modelFailure(reason, 'no', { retryAfterMs: 1000 });
      expect(nextRetry({ attempt: 1, failure, now: NOW, random: 0, maxTries: 5 })).toEqual({
        type: 'give_up',
        message: 'no',
      });
    }
  });

  test('R8: an asked wait is never cut short and only a little longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 900_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (asked, random) => {
          const decision = nextRetry({ attempt: 1, failure: asking(asked), now: NOW, random, maxTries: 5 });
          if (decision.type !== 'retry') throw new Error('expected a retry');
          expect(decision.delayMs).toBeGreaterThanOrEqual(asked);
          expect(decision.delayMs).toBeLessThanOrEqual(asked + 12_000);
          expect(decision.until).toBe(NOW + decision.delayMs);
        },
      ),
    );
  });

  test('R8: an asked wait of 0 is no reason to hurry', () => {
    expect(nextRetry({ attempt: 1, failure: asking(0), now: NOW, random: 0.5, maxTries: 5 })).toMatchObject({
      delayMs: 1000,
    });
  });

  test('R8: 15 minutes are waited for; more fails at once and names the time', () => {
    const first = { attempt: 1, now: NOW, random: 0, maxTries: 5 };
    expect(nextRetry({ ...first, failure: asking(900_000) })).toMatchObject({ type: 'retry', delayMs: 900_000 });
    expect(nextRetry({ ...first, failure: asking(86_400_000) })).toEqual({
      type: 'give_up',
      message: 'HTTP 429: slow down — asks to wait until 2026-03-02 12:00 UTC',
    });
  });
});
