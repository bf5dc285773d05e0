import { expect, it } from 'vitest';
import { NO_TOKENS } from '../../../protocol/token-sums.ts';
import { Spending } from './spending.ts';

const PRICE = { input: 1, output: 10 };
const NO_LIMITS = { max_tokens: null, max_cost_usd: null };

function spend(spending: Spending, ref: string, price: typeof PRICE | null, input: number, output: number): void {
  spending.begin(ref, price);
  spending.count({ ...NO_TOKENS, input, output });
  spending.close();
}

it('adds up the tokens of each model at its own price (R6)', () => {
  const spending = new Spending(NO_LIMITS);
  spend(spending, 'a', PRICE, 1000, 100);
  spend(spending, 'b', { input: 2, output: 20 }, 1000, 100);
  spend(spending, 'a', PRICE, 1000, 100);
  expect(spending.tokens).toMatchObject({ input: 3000, output: 300 });
  expect(spending.cost).toEqual({ cost_usd: 0.008, cost_status: 'estimated' });
});

it('is unknown, never 0, as soon as one price is unknown (R5, case 24)', () => {
  const spending = new Spending(NO_LIMITS);
  expect(spending.cost).toEqual({ cost_usd: null, cost_status: 'unknown' });
  spend(spending, 'a', PRICE, 10, 1);
  spend(spending, 'b', null, 10, 1);
  expect(spending.cost).toEqual({ cost_usd: null, cost_status: 'unknown' });
});

it('measures what is left in requests like the last one (R5)', () => {
  const spending = new Spending({ max_tokens: 3000, max_cost_usd: null });
  expect(spending.room.room).toBe('plenty');
  spend(spending, 'a', PRICE, 900, 100);
  expect(spending.room.room).toBe('plenty');
  spend(spending, 'a', PRICE, 900, 100);
  expect(spending.room).toEqual({ room: 'one_more', roomLimit: 'max_tokens' });
  spend(spending, 'a', PRICE, 900, 100);
  expect(spending.room).toEqual({ room: 'none', roomLimit: 'max_tokens' });
});

it('names the tighter of two limits', () => {
  const spending = new Spending({ max_tokens: 100_000, max_cost_usd: 0.003 });
  spend(spending, 'a', PRICE, 1000, 100);
  expect(spending.room).toEqual({ room: 'none', roomLimit: 'budget' });
});

it('sees a limit pass while an answer streams, before it is counted (R5)', () => {
  const spending = new Spending({ max_tokens: 1000, max_cost_usd: null });
  spending.begin('a', PRICE);
  spending.count({ ...NO_TOKENS, input: 900 });
  expect(spending.exceeded(100)).toBeNull();
  expect(spending.exceeded(101)).toBe('max_tokens');
});

it('estimates a request that was cut, never below what was counted', () => {
  const spending = new Spending(NO_LIMITS);
  spending.begin('a', PRICE);
  spending.count({ ...NO_TOKENS, cached_input: 500, output: 5 });
  spending.close({ input: 400, output: 20 });
  expect(spending.tokens).toEqual({ ...NO_TOKENS, cached_input: 500, output: 20 });
});
