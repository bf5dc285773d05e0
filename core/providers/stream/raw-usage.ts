import type { Tokens } from '../../protocol/usage.ts';
import type { ProviderKind } from '../models/bundle.ts';
import { assertNever } from '../../kit/assert-never.ts';

type Raw = Readonly<Record<string, unknown>>;

/**
 * The usage that a frame of the stream carries, merged over what came before: usage is cumulative, so a later figure replaces
 * an earlier one, member by member. Returns `before` when the frame says nothing.
 */
export function mergeRawUsage(kind: ProviderKind, before: Raw | null, frame: Raw): Raw | null {
  const found = rawUsage(kind, frame);
  if (!found) return before;
  const stated = Object.entries(found).filter(([, value]) => value !== null && value !== undefined);
  return { ...before, ...Object.fromEntries(stated) };
}

function rawUsage(kind: ProviderKind, frame: Raw): Raw | null {
  switch (kind) {
    case 'anthropic':
      return record(frame['usage']) ?? record(record(frame['message'])?.['usage']);
    case 'openai':
      return record(record(frame['response'])?.['usage']);
    case 'openai-compatible':
      return record(frame['usage']);
    case 'google':
      return record(frame['usageMetadata']);
    default:
      return assertNever(kind);
  }
}

/** Raw usage with each token in exactly one member (R6). */
export function toTokens(kind: ProviderKind, raw: Raw): Tokens {
  switch (kind) {
    case 'anthropic': {
      // Here the input does not include what was read from or written to the cache.
      const reasoning = count(record(raw['output_tokens_details'])?.['thinking_tokens']);
      return tokens(
        count(raw['input_tokens']),
        count(raw['cache_read_input_tokens']),
        count(raw['cache_creation_input_tokens']),
        count(raw['output_tokens']) - reasoning,
        reasoning,
      );
    }
    case 'openai': {
      const details = record(raw['input_tokens_details']);
      const reasoning = count(record(raw['output_tokens_details'])?.['reasoning_tokens']);
      return withCacheInside(
        count(raw['input_tokens']),
        count(details?.['cached_tokens']),
        count(details?.['cache_write_tokens']),
        count(raw['output_tokens']) - reasoning,
        reasoning,
      );
    }
    case 'openai-compatible':
      return chatTokens(raw);
    case 'google':
      return withCacheInside(
        count(raw['promptTokenCount']) + count(raw['toolUsePromptTokenCount']),
        count(raw['cachedContentTokenCount']),
        0,
        count(raw['candidatesTokenCount']),
        count(raw['thoughtsTokenCount']),
      );
    default:
      return assertNever(kind);
  }
}

function chatTokens(raw: Raw): Tokens {
  const prompt = count(raw['prompt_tokens']);
  const completion = count(raw['completion_tokens']);
  const details = record(raw['prompt_tokens_details']);
  const cached = count(details?.['cached_tokens'] ?? raw['prompt_cache_hit_tokens']);
  const reasoning = count(record(raw['completion_tokens_details'])?.['reasoning_tokens']);
  // Most count reasoning inside the completion; some beside it, which their total shows.
  const beside = reasoning > completion || count(raw['total_tokens']) === prompt + completion + reasoning;
  const output = beside ? completion : completion - reasoning;
  return withCacheInside(prompt, cached, count(details?.['cache_write_tokens']), output, reasoning);
}

function withCacheInside(input: number, cached: number, written: number, output: number, reasoning: number): Tokens {
  return tokens(input - cached - written, cached, written, output, reasoning);
}

function tokens(input: number, cached: number, written: number, output: number, reasoning: number): Tokens {
  return {
    input: Math.max(0, input),
    cached_input: cached,
    cache_write: written,
    output: Math.max(0, output),
    reasoning,
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

function record(value: unknown): Raw | null {
  return typeof value === 'object' && value !== null ? (value as Raw) : null;
}
