import type { Price } from '../../protocol/usage.ts';
import type { ProviderKind } from './bundle.ts';

/** What we know of a vendor's model without being told by settings. */
export interface KnownModel {
  readonly contextWindow: number;
  readonly maxOutput: number;
  /**
   * USD per million tokens. Null where the price depends on the length of the prompt: one figure would be wrong on one side,
   * and an unknown cost is shown as unknown (R5). Settings may state one.
   */
  readonly price: Price | null;
}

interface Vendor {
  readonly source: string;
  /** Day of the last comparison with the source: the table is a convenience, and settings override each value. */
  readonly checked: string;
  /** Proposed where nobody has chosen: neither the dearest nor the weakest, and with a price. */
  readonly recommended: string;
  readonly models: Readonly<Record<string, KnownModel>>;
}

const MILLION = 1_000_000;

function model(contextWindow: number, maxOutput: number, price: Price | null): KnownModel {
  return { contextWindow, maxOutput, price };
}

function claudePrice(input: number, cacheWrite: number, cachedInput: number, output: number): Price {
  return { input, cacheWrite, cachedInput, output };
}

function flatPrice(input: number, cachedInput: number, output: number): Price {
  return { input, cachedInput, output };
}

/** By vendor, because the same name at another endpoint may cost something else. Cache writes are those kept for 5 minutes. */
export const MODEL_TABLE: Readonly<Record<Exclude<ProviderKind, 'openai-compatible'>, Vendor>> = {
  anthropic: {
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    checked: '2026-11-05',
    recommended: 'claude-sonnet-5-5',
    models: {
      'claude-fable-5-1': model(MILLION, 128_000, claudePrice(10, 12.5, 0.25, 50)),
      'claude-opus-5-5': model(MILLION, 128_000, claudePrice(4, 5, 0.2, 20)),
      'claude-opus-5': model(MILLION, 128_000, claudePrice(5, 6.25, 0.5, 25)),
      'claude-sonnet-5-5': model(MILLION, 128_000, claudePrice(2, 2.5, 0.1, 10)),
      'claude-haiku-5-5': model(MILLION, 128_000, null),
      'claude-haiku-4-5': model(200_000, 64_000, claudePrice(1, 1.25, 0.1, 5)),
    },
  },
  openai: {
    source: 'https://developers.openai.com/api/docs/pricing',
    checked: '2026-11-05',
    recommended: 'gpt-5',
    models: {
      'gpt-5.6-sol': model(1_050_000, 128_000, null),
      'gpt-5.6-terra': model(1_050_000, 128_000, null),
      'gpt-5.4-mini': model(400_000, 128_000, flatPrice(0.75, 0.075, 4.5)),
      'gpt-5': model(400_000, 128_000, flatPrice(1.25, 0.125, 10)),
      'gpt-5-mini': model(400_000, 128_000, flatPrice(0.25, 0.025, 2)),
      'gpt-4.1': model(1_047_576, 32_768, flatPrice(2, 0.5, 8)),
    },
  },
  google: {
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    checked: '2026-11-05',
    recommended: 'gemini-3.6-flash',
    models: {
      'gemini-3.6-flash': model(1_048_576, 65_536, flatPrice(1.5, 0.15, 7.5)),
      'gemini-3.5-flash-lite': model(1_048_576, 65_536, flatPrice(0.3, 0.03, 2.5)),
      'gemini-2.5-pro': model(1_048_576, 65_536, null),
      'gemini-2.5-flash': model(1_048_576, 65_536, flatPrice(0.3, 0.03, 2.5)),
    },
  },
};

/** The entry of a vendor's model; a dated name (`claude-haiku-4-5-20251001`, `gpt-5-2025-08-07`) finds its undated one. */
export function knownModel(kind: ProviderKind, name: string): KnownModel | null {
  if (kind === 'openai-compatible') return null;
  const models = MODEL_TABLE[kind].models;
  return models[name] ?? models[name.replace(/-\d{4}-?\d{2}-?\d{2}$/, '')] ?? null;
}
