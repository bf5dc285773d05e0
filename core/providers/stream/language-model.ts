import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import type { ProviderKind } from '../models/bundle.ts';
import type { ModelBundle } from '../models/bundle.ts';
import { assertNever } from '../../kit/assert-never.ts';

/** A model of the AI SDK; its packages share the type. We call `doStream` on it directly: nothing above it is loaded. */
export type LanguageModel = ReturnType<OpenAICompatibleProvider['languageModel']>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
export type Prompt = CallOptions['prompt'];
export type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/** Under which name a dialect's package gives and takes metadata of parts. */
export const METADATA_KEY: Readonly<Record<ProviderKind, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  'openai-compatible': 'compatible',
};

/**
 * The model of a bundle. Loads the package of its dialect only, at the first use. Key and address are always passed: the
 * packages would otherwise take them from the environment, where they may belong to another provider (K4).
 */
export async function openModel(bundle: ModelBundle, fetch: typeof globalThis.fetch): Promise<LanguageModel> {
  const { baseUrl: baseURL, headers } = bundle;
  const apiKey = bundle.key ?? '';
  switch (bundle.kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, headers, fetch }).languageModel(bundle.model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL, apiKey, headers, fetch }).responses(bundle.model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ baseURL, apiKey, headers, fetch }).languageModel(bundle.model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const name = METADATA_KEY[bundle.kind];
      return createOpenAICompatible({ name, baseURL, apiKey, headers, fetch, includeUsage: true }).languageModel(
        bundle.model,
      );
    }
    default:
      return assertNever(bundle.kind);
  }
}
