import type { Clock } from '../../kit/clock.ts';
import { LOCAL_SERVERS, VENDORS } from '../models/endpoint.ts';
import type { Environment } from '../models/resolve.ts';
import type { ProviderKind } from '../models/bundle.ts';

/** A provider that the onboarding can offer, or what is missing for it. */
export interface DetectedProvider {
  /** Provider id, as in `<id>/<model>`. */
  readonly id: string;
  readonly label: string;
  readonly kind: ProviderKind;
  readonly available: boolean;
  /** How it was found, or what is missing; one sentence. Never a key, only names. */
  readonly note: string;
  /** Models that a local server lists. */
  readonly models: readonly string[];
}

/** As much of `fetch` as the detection needs. */
export type DetectionFetch = (
  url: string,
  init: { signal: AbortSignal },
) => Promise<{ ok: boolean; json(): Promise<unknown> }>;

/** A server on this machine answers at once or is not there. */
const ANSWER_WITHIN_MS = 500;

/**
 * Looks for what could serve a model without settings: vendors' keys in the environment, and model servers on loopback. All
 * servers are asked at once, and within 500 ms it is done. Never throws.
 */
export async function detectProviders(deps: {
  env: Environment;
  fetch: DetectionFetch;
  clock: Clock;
}): Promise<DetectedProvider[]> {
  const vendors = Object.entries(VENDORS).map(([id, vendor]): DetectedProvider => {
    const found = vendor.keyNames.find((name) => deps.env[name]?.trim());
    const note = found ? `${found} is set.` : `No key: set ${vendor.keyNames.join(' or ')}.`;
    return { id, label: vendor.label, kind: id as ProviderKind, available: found !== undefined, note, models: [] };
  });
  const servers = await Promise.all(Object.keys(LOCAL_SERVERS).map((id) => detectServer(id, deps)));
  return [...vendors, ...servers.filter((server) => server !== null)];
}

async function detectServer(
  id: string,
  deps: { fetch: DetectionFetch; clock: Clock },
): Promise<DetectedProvider | null> {
  const server = LOCAL_SERVERS[id];
  if (!server) return null;
  const { origin, host } = new URL(server.baseUrl);
  const models = await listModels(origin + server.listPath, deps);
  const found = { id, label: server.label, kind: 'openai-compatible' as const };
  if (models === null) return { ...found, available: false, note: `Nothing answers at ${host}.`, models: [] };
  if (models.length === 0) {
    return { ...found, available: false, note: `Answers at ${host}, but has no model yet.`, models };
  }
  const count = models.length === 1 ? '1 model' : `${models.length} models`;
  return { ...found, available: true, note: `Answers at ${host} with ${count}.`, models };
}

/** Null when no model server answers there in time. */
async function listModels(url: string, deps: { fetch: DetectionFetch; clock: Clock }): Promise<string[] | null> {
  const abort = new AbortController();
  const late = new Promise<null>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const cancel = deps.clock.after(ANSWER_WITHIN_MS, () => abort.abort());
  try {
    return await Promise.race([late, ask(url, deps.fetch, abort.signal)]);
  } finally {
    cancel();
  }
}

async function ask(url: string, fetch: DetectionFetch, signal: AbortSignal): Promise<string[] | null> {
  try {
    const reply = await fetch(url, { signal });
    return reply.ok ? modelNames(await reply.json()) : null;
  } catch {
    // Refused, too late, or no JSON: whatever it is, it is no model server.
    return null;
  }
}

/** `{models:[{name}]}` (Ollama) or `{data:[{id}]}` (OpenAI's form); null when it is neither: other programs use these ports. */
function modelNames(value: unknown): string[] | null {
  const { models, data } = (value ?? {}) as { models?: unknown; data?: unknown };
  const list: unknown = Array.isArray(data) ? data : models;
  if (!Array.isArray(list)) return null;
  return list
    .map((entry) => (entry as { id?: unknown; name?: unknown } | null) ?? {})
    .map(({ id, name }) => id ?? name)
    .filter((name) => typeof name === 'string');
}
