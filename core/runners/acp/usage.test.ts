import { expect, it } from 'vitest';
import { AgentUsage } from './usage.ts';

const turn = { tokens: 'turn', cost: 'none', how: '' } as const;

it('R6: cached tokens inside of the input count once; the total tells that they are inside', () => {
  const usage = new AgentUsage(turn, true);
  expect(usage.turn({ usage: { totalTokens: 120, inputTokens: 100, outputTokens: 20, cachedReadTokens: 60 } })).toBe(
    true,
  );
  expect(usage.tokens).toEqual({ input: 40, cached_input: 60, cache_write: 0, output: 20, reasoning: 0 });
});

it('R6: cached tokens beside the input, and reasoning beside the output, stay as they are', () => {
  const usage = new AgentUsage(turn, true);
  const told = { totalTokens: 190, inputTokens: 100, outputTokens: 20, cachedReadTokens: 60, thoughtTokens: 10 };
  usage.turn({ usage: told });
  usage.turn({ usage: { totalTokens: 3, inputTokens: 2, outputTokens: 1 } });
  expect(usage.tokens).toEqual({ input: 102, cached_input: 60, cache_write: 0, output: 21, reasoning: 10 });
});

it('sums of a session are not counted twice', () => {
  const usage = new AgentUsage({ ...turn, tokens: 'session' }, true);
  usage.turn({ usage: { inputTokens: 100, outputTokens: 20 } });
  usage.turn({ usage: { inputTokens: 150, outputTokens: 30 } });
  expect(usage.tokens).toMatchObject({ input: 150, output: 30 });
});

it('the counts of a quota are read; nothing told is nothing used, and its cost is unknown', () => {
  const usage = new AgentUsage(turn, true);
  expect(usage.turn({ stopReason: 'end_turn' })).toBe(false);
  expect(usage.cost).toEqual({ cost_usd: null, cost_status: 'unknown' });
  usage.turn({ _meta: { quota: { token_count: { input_tokens: 5, output_tokens: 6 } } } });
  expect(usage.tokens).toMatchObject({ input: 5, output: 6 });
});

it('cost is that of this attempt, also in a session that is gone on with', () => {
  const fresh = new AgentUsage(turn, true);
  fresh.update({ cost: { amount: 0.25, currency: 'USD' } });
  expect(fresh.cost).toEqual({ cost_usd: 0.25, cost_status: 'reported' });
  const again = new AgentUsage(turn, false);
  again.update({ cost: { amount: 0.25, currency: 'USD' } });
  again.update({ cost: { amount: 0.75, currency: 'USD' } });
  expect(again.cost.cost_usd).toBe(0.5);
});
