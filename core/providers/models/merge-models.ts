import type { ModelListed } from '../../protocol/providers.ts';
import type { ProviderSettings } from '../../protocol/settings.ts';
import { isVendorUrl } from './endpoint.ts';
import type { EndpointModel } from './list-models.ts';
import { modelFacts } from './resolve.ts';
import { MODEL_TABLE } from './table.ts';

/** One provider, as its models are told. */
export interface MergedProvider {
  readonly id: string;
  readonly provider: ProviderSettings;
  readonly baseUrl: string;
}

/**
 * The models of a provider: those of the settings first, then those that its endpoint lists, then those of our table. What settings say of a model
 * comes before the table, and this before what the endpoint says; prices are never taken from an endpoint.
 */
export function mergeModels(
  { id, provider, baseUrl }: MergedProvider,
  listed: readonly EndpointModel[] | null,
): ModelListed[] {
  const own = provider.models ?? {};
  const known = tableOf(provider, baseUrl);
  const byName = new Map((listed ?? []).map((one) => [one.model, one]));
  const names = new Set([...Object.keys(own), ...byName.keys(), ...(listed === null ? known : [])]);
  return [...names].map((model) => {
    const facts = modelFacts(model, provider, baseUrl);
    const told = byName.get(model);
    const stated = Object.hasOwn(own, model) ? own[model]?.price : undefined;
    return {
      ref: `${id}/${model}`,
      model,
      listed: listed === null ? null : told !== undefined,
      own: Object.hasOwn(own, model),
      context_window: facts.contextWindow ?? told?.contextWindow ?? null,
      max_output: facts.maxOutput ?? told?.maxOutput ?? null,
      price: facts.price,
      price_from: facts.price === null ? null : stated === undefined ? 'table' : 'settings',
    };
  });
}

function tableOf({ kind }: ProviderSettings, baseUrl: string): readonly string[] {
  if (kind === 'openai-compatible' || !isVendorUrl(kind, baseUrl)) return [];
  return Object.keys(MODEL_TABLE[kind].models);
}
