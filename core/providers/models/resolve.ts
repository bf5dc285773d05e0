import { err, ok } from '../../kit/result.ts';
import type { Result } from '../../kit/result.ts';
import type { ModelSettings, ProviderSettings, Settings } from '../../protocol/settings.ts';
import type { ModelBundle, ProviderKind } from './bundle.ts';
import { LOCAL_SERVERS, VENDORS, isVendorUrl, normalBaseUrl } from './endpoint.ts';
import { knownModel } from './table.ts';

/** A model as people write it: `<provider id>/<model>`; the model may hold more slashes. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

/** Why a model cannot be used; `message` says what to do. */
export interface ModelProblem {
  readonly code: 'bad_model_ref' | 'unknown_provider' | 'no_base_url' | 'no_key';
  readonly message: string;
}

/** The environment as the core sees it (the user's login shell). */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One provider as it is reached: endpoint, key and headers are one bundle (K4). It holds the key: never log or store it. */
export type ProviderAccess = Pick<ModelBundle, 'kind' | 'baseUrl' | 'key' | 'headers'>;

/** Splits `<provider id>/<model>`; null when it is not of that form. */
export function parseModelRef(ref: string): ModelRef | null {
  const match = /^([A-Za-z0-9_-]{1,64})\/(\S+)$/.exec(ref.trim());
  return match?.[1] && match[2] ? { provider: match[1], model: match[2] } : null;
}

/**
 * The bundle of a model (K4). Vendors and local servers that we know work without settings. A vendor's default key is used
 * only at the vendor's own address, so that a key never goes to an endpoint that it was not meant for.
 */
export function resolveModel(
  settings: Pick<Settings, 'providers'>,
  ref: string,
  env: Environment,
): Result<ModelBundle, ModelProblem> {
  const parsed = parseModelRef(ref);
  if (!parsed) {
    return problem(
      'bad_model_ref',
      `"${ref}" is not a model. Write <provider id>/<model>, like anthropic/claude-opus-5-5.`,
    );
  }
  const found = findProvider(settings, parsed.provider);
  if (!found.ok) return found;
  const { provider, baseUrl } = found.value;
  const key = keyOf(parsed.provider, provider, env);
  return key.ok ? ok(bundle(parsed, provider, baseUrl, key.value)) : key;
}

/** How a provider is reached, whichever model is meant. */
export function resolveProvider(
  settings: Pick<Settings, 'providers'>,
  id: string,
  env: Environment,
): Result<ProviderAccess, ModelProblem> {
  const found = findProvider(settings, id);
  if (!found.ok) return found;
  const { provider, baseUrl } = found.value;
  const key = keyOf(id, provider, env);
  return key.ok ? ok({ kind: provider.kind, baseUrl, key: key.value, headers: provider.headers ?? {} }) : key;
}

/** Variables in which the key of a provider is looked for, the first that is set counts; none where it needs no key. */
export function keyNamesOf(provider: ProviderSettings): readonly string[] {
  if (provider.apiKeyEnv) return [provider.apiKeyEnv];
  const baseUrl = endpoint(provider);
  if (provider.kind === 'openai-compatible' || baseUrl === null || !isVendorUrl(provider.kind, baseUrl)) return [];
  return VENDORS[provider.kind].keyNames;
}

/** A provider by its name, with its address. */
export function findProvider(
  settings: Pick<Settings, 'providers'>,
  id: string,
): Result<{ readonly provider: ProviderSettings; readonly baseUrl: string }, ModelProblem> {
  const provider = providerSettings(settings, id);
  if (!provider) {
    const known = [...new Set([...Object.keys(settings.providers), ...Object.keys(VENDORS)])].join(', ');
    return problem('unknown_provider', `No provider "${id}" in settings. Known: ${known}.`);
  }
  const baseUrl = endpoint(provider);
  if (baseUrl) return ok({ provider, baseUrl });
  return problem('no_base_url', `Provider "${id}" needs a baseUrl, because its kind is openai-compatible.`);
}

function providerSettings(settings: Pick<Settings, 'providers'>, id: string): ProviderSettings | null {
  const configured = Object.hasOwn(settings.providers, id) ? settings.providers[id] : undefined;
  if (configured) return configured;
  if (Object.hasOwn(VENDORS, id)) return { kind: id as Exclude<ProviderKind, 'openai-compatible'> };
  const local = Object.hasOwn(LOCAL_SERVERS, id) ? LOCAL_SERVERS[id] : undefined;
  return local ? { kind: 'openai-compatible', baseUrl: local.baseUrl } : null;
}

function endpoint(provider: ProviderSettings): string | null {
  if (provider.baseUrl) return normalBaseUrl(provider.kind, provider.baseUrl);
  return provider.kind === 'openai-compatible' ? null : VENDORS[provider.kind].baseUrl;
}

function keyOf(id: string, provider: ProviderSettings, env: Environment): Result<string | null, ModelProblem> {
  const names = keyNamesOf(provider);
  if (names.length === 0) return ok(null);
  for (const name of names) {
    const key = env[name]?.trim();
    if (key) return ok(key);
  }
  if (provider.apiKeyEnv) {
    return problem('no_key', `Provider "${id}": the environment variable ${provider.apiKeyEnv} is not set.`);
  }
  return problem('no_key', `Provider "${id}" has no key. Set ${names.join(' or ')}, or apiKeyEnv in settings.`);
}

function bundle(ref: ModelRef, provider: ProviderSettings, baseUrl: string, key: string | null): ModelBundle {
  return {
    provider: ref.provider,
    kind: provider.kind,
    baseUrl,
    key,
    headers: provider.headers ?? {},
    extraBody: provider.extraBody ?? {},
    model: ref.model,
    ...modelFacts(ref.model, provider, baseUrl),
  };
}

/** Settings before the table, value by value. */
export function modelFacts(
  model: string,
  provider: ProviderSettings,
  baseUrl: string,
): Pick<ModelBundle, 'contextWindow' | 'maxOutput' | 'price' | 'images'> {
  const models = provider.models ?? {};
  const stated = Object.hasOwn(models, model) ? models[model] : undefined;
  const known = isVendorUrl(provider.kind, baseUrl) ? knownModel(provider.kind, model) : null;
  const facts = { contextWindow: null, maxOutput: null, price: null, ...known, ...definedOf(stated ?? {}) };
  const { contextWindow, maxOutput, price } = facts;
  return { contextWindow, maxOutput, price, ...(stated?.images === undefined ? {} : { images: stated.images }) };
}

function definedOf(stated: ModelSettings): ModelSettings {
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}

function problem(code: ModelProblem['code'], message: string): { ok: false; error: ModelProblem } {
  return err({ code, message });
}
