import type { ProviderKind } from './bundle.ts';

/** Where a vendor's own API is, and the environment variables that people keep its key in (first one set wins). */
export interface Vendor {
  readonly label: string;
  readonly baseUrl: string;
  readonly keyNames: readonly string[];
}

/** The vendors that are known without settings, by provider id. */
export const VENDORS: Readonly<Record<Exclude<ProviderKind, 'openai-compatible'>, Vendor>> = {
  anthropic: { label: 'Anthropic', baseUrl: 'https://api.anthropic.com/v1', keyNames: ['ANTHROPIC_API_KEY'] },
  openai: { label: 'OpenAI', baseUrl: 'https://api.openai.com/v1', keyNames: ['OPENAI_API_KEY'] },
  google: {
    label: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyNames: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
  },
};

/** A model server that people run on their own machine; it needs no key. */
export interface LocalServer {
  readonly label: string;
  readonly baseUrl: string;
  /** Path, from the server's root, of the list of its models. */
  readonly listPath: string;
}

/** The local servers that are known without settings, by provider id. */
export const LOCAL_SERVERS: Readonly<Record<string, LocalServer>> = {
  ollama: { label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', listPath: '/api/tags' },
  lmstudio: { label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', listPath: '/v1/models' },
  llamacpp: { label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', listPath: '/v1/models' },
};

/** A base URL as we use it: no slash at the end, and the API's version path when only a host was given. */
export function normalBaseUrl(kind: ProviderKind, baseUrl: string): string {
  const trimmed = baseUrl.replace(/\/+$/, '');
  const hostOnly = /^https?:\/\/[^/]+$/i.test(trimmed);
  if (!hostOnly) return trimmed;
  return `${trimmed}${kind === 'google' ? '/v1beta' : '/v1'}`;
}

/** Is this the vendor's own API of the kind? Only there do its default key and our price table apply. */
export function isVendorUrl(kind: ProviderKind, baseUrl: string): boolean {
  if (kind === 'openai-compatible') return false;
  return new URL(baseUrl).host === new URL(VENDORS[kind].baseUrl).host;
}
