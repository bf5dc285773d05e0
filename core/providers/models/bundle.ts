import type { ProviderSettings } from '../../protocol/settings.ts';
import type { Price } from '../../protocol/usage.ts';

/** Which dialect an endpoint speaks. */
export type ProviderKind = ProviderSettings['kind'];

/**
 * Everything that one model request needs, as one bundle (K4): endpoint, key and extras of one provider, never mixed with
 * another's. Plain JSON, so that the core can send it over a worker's socket. It holds the key: never log or store it.
 */
export interface ModelBundle {
  readonly provider: string;
  readonly kind: ProviderKind;
  /** With the API's version path, without a slash at the end. */
  readonly baseUrl: string;
  /** Null for endpoints that need none. */
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Merged into the body of each request, over what we would send. */
  readonly extraBody: Readonly<Record<string, unknown>>;
  readonly model: string;
  /** Tokens; null when nobody told us. */
  readonly contextWindow: number | null;
  /** Tokens; null leaves it to the provider. */
  readonly maxOutput: number | null;
  /** USD per million tokens, pinned for the run (R6); null is unknown, not free. */
  readonly price: Price | null;
  /** False for a model that takes no images; without a word they are sent. */
  readonly images?: boolean | undefined;
}

/** The bundle with an agent's request extras merged over the settings' (K4). Header names are compared without case. */
export function withExtras(
  bundle: ModelBundle,
  extras: { headers?: Record<string, string> | undefined; extraBody?: Record<string, unknown> | undefined },
): ModelBundle {
  return {
    ...bundle,
    headers: { ...lowerCaseNames(bundle.headers), ...lowerCaseNames(extras.headers ?? {}) },
    extraBody: mergeJson(bundle.extraBody, extras.extraBody ?? {}),
  };
}

/** `over` merged into `base`: objects member by member, anything else replaced. Neither is changed. */
export function mergeJson(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    merged[name] = isObject(before) && isObject(value) ? mergeJson(before, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
