import { describe, expect, test } from 'vitest';
import { costOf } from '../cost/cost.ts';
import type { ProviderKind } from '../models/bundle.ts';
import { mergeRawUsage, toTokens } from './raw-usage.ts';

function tokensOf(kind: ProviderKind, ...frames: Record<string, unknown>[]) {
  let raw: Readonly<Record<string, unknown>> | null = null;
  for (const frame of frames) raw = mergeRawUsage(kind, raw, frame);
  return raw && toTokens(kind, raw);
}

const PRICE = { input: 4, cachedInput: 0.2, cacheWrite: 5, output: 20 };

describe('R6: each token counts once, in every dialect (case 24, B36)', () => {
  test('B36: anthropic, cache outside the input, cumulative usage repeated', () => {
    const delta = { type: 'message_delta', usage: { output_tokens: 50 } };
    const tokens = tokensOf(
      'anthropic',
      {
        message: {
          usage: {
            input_tokens: 3,
            cache_creation_input_tokens: 1000,
            cache_read_input_tokens: 100_000,
            output_tokens: 1,
          },
        },
      },
      { type: 'message_delta', usage: { output_tokens: 20, cache_read_input_tokens: null } },
      delta,
      delta,
    );
    expect(tokens).toEqual({ input: 3, cached_input: 100_000, cache_write: 1000, output: 50, reasoning: 0 });
    // 12 + 20,000 + 5,000 + 1,000 millionths
    expect(tokens && costOf(tokens, PRICE)).toBe(0.026012);
  });

  const inside = { input: 1003, cached_input: 100_000, cache_write: 0, output: 50, reasoning: 0 };

  test.each<[string, ProviderKind, Record<string, unknown>, object]>([
    [
      'cache inside the prompt',
      'openai-compatible',
      { usage: { prompt_tokens: 101_003, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 100_000 } } },
      inside,
    ],
    [
      'hits and misses',
      'openai-compatible',
      { usage: { prompt_tokens: 101_003, completion_tokens: 50, prompt_cache_hit_tokens: 100_000 } },
      inside,
    ],
    [
      'responses',
      'openai',
      {
        response: {
          usage: { input_tokens: 101_003, output_tokens: 50, input_tokens_details: { cached_tokens: 100_000 } },
        },
      },
      inside,
    ],
    [
      'gemini',
      'google',
      { usageMetadata: { promptTokenCount: 101_003, candidatesTokenCount: 50, cachedContentTokenCount: 100_000 } },
      inside,
    ],
    [
      'reasoning inside the completion',
      'openai-compatible',
      {
        usage: {
          prompt_tokens: 10,
          completion_tokens: 50,
          total_tokens: 60,
          completion_tokens_details: { reasoning_tokens: 30 },
        },
      },
      { input: 10, output: 20, reasoning: 30 },
    ],
    [
      'reasoning beside the completion',
      'openai-compatible',
      {
        usage: {
          prompt_tokens: 10,
          completion_tokens: 50,
          total_tokens: 90,
          completion_tokens_details: { reasoning_tokens: 30 },
        },
      },
      { input: 10, output: 50, reasoning: 30 },
    ],
    [
      'reasoning of responses',
      'openai',
      { response: { usage: { input_tokens: 10, output_tokens: 50, output_tokens_details: { reasoning_tokens: 30 } } } },
      { output: 20, reasoning: 30 },
    ],
    [
      'thoughts of gemini',
      'google',
      {
        usageMetadata: {
          promptTokenCount: 10,
          candidatesTokenCount: 50,
          thoughtsTokenCount: 30,
          toolUsePromptTokenCount: 4,
        },
      },
      { input: 14, output: 50, reasoning: 30 },
    ],
    [
      'thinking of claude',
      'anthropic',
      { usage: { input_tokens: 10, output_tokens: 50, output_tokens_details: { thinking_tokens: 30 } } },
      { output: 20, reasoning: 30 },
    ],
    [
      'nonsense',
      'openai-compatible',
      { usage: { prompt_tokens: -4, completion_tokens: 'many', prompt_tokens_details: { cached_tokens: 9 } } },
      { input: 0, output: 0, cached_input: 9 },
    ],
  ])('%s (%s)', (_name, kind, frame, expected) => {
    expect(tokensOf(kind, frame)).toMatchObject(expected);
  });

  test('a frame without usage changes nothing', () => {
    expect(tokensOf('openai-compatible', { usage: null }, { choices: [] })).toBeNull();
  });
});
