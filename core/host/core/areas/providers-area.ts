import { err, ok } from '../../../kit/result.ts';
import type { KeyOrigin, PriceTable, ProviderListed } from '../../../protocol/providers.ts';
import { testConnection } from '../../../providers/detection/test-connection.ts';
import { LOCAL_SERVERS, VENDORS } from '../../../providers/models/endpoint.ts';
import { listModels } from '../../../providers/models/list-models.ts';
import { mergeModels } from '../../../providers/models/merge-models.ts';
import { findProvider, keyNamesOf, resolveProvider } from '../../../providers/models/resolve.ts';
import { MODEL_TABLE } from '../../../providers/models/table.ts';
import type { CoreService } from '../../service.ts';
import { keyVariables } from '../assignments.ts';
import type { Core } from '../core.ts';
import type { ProviderKeys } from '../provider-keys.ts';

/** A list that takes longer is of no use to somebody who waits before it. */
const LIST_WITHIN_MS = 8_000;

/** Providers: what they are, whether they answer, which models they have, and where their keys come from (K4). */
export function providersArea(core: Core, keys: ProviderKeys): Pick<CoreService, 'providers'> {
  const { environment, clock } = core.options;
  const isKeyName = (name: string): boolean => keyVariables(core.settings.value).includes(name);
  return {
    providers: {
      list: async () => ok(listOf(core, keys)),
      test: async ({ id }) =>
        ok(await testConnection(id, { settings: core.settings.value, environment, fetch, clock })),
      models: async ({ id }) => {
        const found = findProvider(core.settings.value, id);
        if (!found.ok) return err({ code: 'not_found', message: found.error.message });
        const access = resolveProvider(core.settings.value, id, environment);
        const deps = { fetch, clock, within: LIST_WITHIN_MS };
        const listed = access.ok ? await listModels(access.value, deps) : access;
        return ok({
          models: mergeModels({ id, ...found.value }, listed.ok ? listed.value : null),
          problem: listed.ok ? null : listed.error.message,
        });
      },
      prices: async () => ok(PRICES),
      kept_keys: async () => ok(keys.kept()),
      keep_key: async ({ name, key }) => {
        if (isKeyName(name)) return changed(core, keys.keep(name, key.trim()));
        return err({ code: 'not_allowed', message: `${name} is not the variable of a provider's key.` });
      },
      forget_key: async ({ name }) => changed(core, keys.forget(name)),
    },
  };
}

/** Runs that wait for a key may go on with it; clients are told what can be used now. */
function changed<T extends { readonly ok: boolean }>(core: Core, done: T): T {
  if (done.ok) core.publishApp();
  return done;
}

function listOf(core: Core, keys: ProviderKeys): ProviderListed[] {
  const settings = core.settings.value;
  const own = Object.keys(settings.providers);
  const known = Object.keys(VENDORS).filter((id) => !own.includes(id));
  return [...own, ...known].map((id) => {
    const found = findProvider(settings, id);
    const provider = found.ok
      ? found.value.provider
      : (settings.providers[id] ?? { kind: 'openai-compatible' as const });
    const variables = keyNamesOf(provider);
    return {
      id,
      label: labelOf(id),
      kind: provider.kind,
      own: own.includes(id),
      base_url: found.ok ? shownAddress(found.value.baseUrl) : null,
      key: originOf(variables, core.options.environment, keys),
    };
  });
}

function labelOf(id: string): string {
  const vendors: Readonly<Record<string, { readonly label: string }>> = { ...LOCAL_SERVERS, ...VENDORS };
  return Object.hasOwn(vendors, id) ? (vendors[id]?.label ?? id) : id;
}

/** User, password and parameters of an address may authenticate. */
function shownAddress(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

function originOf(
  variables: readonly string[],
  environment: Core['options']['environment'],
  keys: ProviderKeys,
): KeyOrigin {
  const variable = variables.find((name) => (environment[name] ?? '').trim() !== '') ?? null;
  const from =
    variables.length === 0 ? 'not_needed' : variable === null ? 'missing' : keys.has(variable) ? 'app' : 'environment';
  return { variables: [...variables], variable, from };
}

const PRICES: PriceTable = (Object.keys(MODEL_TABLE) as (keyof typeof MODEL_TABLE)[]).map((provider) => {
  const { source, checked, models } = MODEL_TABLE[provider];
  const rows = Object.entries(models).map(([model, { price }]) => ({ model, price }));
  return { provider, label: VENDORS[provider].label, source, checked, models: rows };
});
