import type { ProviderSettings, Settings } from '../../protocol/settings.ts';
import { VENDORS } from './endpoint.ts';
import { resolveModel, type Environment } from './resolve.ts';
import { MODEL_TABLE } from './table.ts';

type VendorId = keyof typeof VENDORS;

/** The model of a vendor that is proposed: neither the dearest nor the weakest, and of a known price, so that limits of money hold. */
export function recommendedModel(vendor: string): string | null {
  return Object.hasOwn(MODEL_TABLE, vendor) ? MODEL_TABLE[vendor as VendorId].recommended : null;
}

/**
 * The model that holds while nobody has chosen one, as `<provider id>/<model>`: of the first provider that can be used, those of the settings
 * before vendors whose key is there. Null when there is none. Local servers are found only by asking them, and so are never proposed.
 */
export function proposedModel(settings: Pick<Settings, 'providers'>, environment: Environment): string | null {
  const own = Object.entries(settings.providers).flatMap(([id, provider]) => refOf(id, modelOfOwn(provider)));
  const vendors = Object.keys(VENDORS).filter((id) => !Object.hasOwn(settings.providers, id));
  const known = vendors.flatMap((id) => refOf(id, recommendedModel(id)));
  return [...own, ...known].find((ref) => resolveModel(settings, ref, environment).ok) ?? null;
}

const refOf = (id: string, model: string | null): string[] => (model === null ? [] : [`${id}/${model}`]);

/** What somebody wrote down first; a vendor without a list has its own. */
function modelOfOwn({ kind, baseUrl, models }: ProviderSettings): string | null {
  const [first] = Object.keys(models ?? {});
  return first ?? (baseUrl === undefined ? recommendedModel(kind) : null);
}
