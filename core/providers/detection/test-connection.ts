import type { Clock } from '../../kit/clock.ts';
import type { ProviderCheck, ProviderTest } from '../../protocol/providers.ts';
import type { Settings } from '../../protocol/settings.ts';
import { listModels, type EndpointModel, type ListFetch, type ListProblem } from '../models/list-models.ts';
import { findProvider, keyNamesOf, resolveProvider, type Environment, type ProviderAccess } from '../models/resolve.ts';

/** What a connection test needs. */
export interface ConnectionTest {
  readonly settings: Pick<Settings, 'providers' | 'defaultModel'>;
  readonly environment: Environment;
  readonly fetch: ListFetch;
  readonly clock: Clock;
}

/** Slow proxies answer within this; who waits for longer is told so. */
const WITHIN_MS = 10_000;

type Shown = Omit<ProviderTest, 'id' | 'took'>;

/**
 * Tests one provider for real: whether its address answers, its key is accepted, and the models that the settings name are there. It asks for the list of
 * models and nothing that costs money; within 10 s it is done. What it says holds no key.
 */
export async function testConnection(id: string, test: ConnectionTest): Promise<ProviderTest> {
  const before = test.clock.monotonic();
  const shown = await look(id, test);
  return { id, ...shown, took: Math.round(test.clock.monotonic() - before) };
}

async function look(id: string, test: ConnectionTest): Promise<Shown> {
  const { settings, environment } = test;
  const found = findProvider(settings, id);
  if (!found.ok) return bad([check('address', 'bad', found.error.message)], 'Set its address in the settings.');
  const { provider, baseUrl } = found.value;
  const access = resolveProvider(settings, id, environment);
  const deps = { ...test, within: WITHIN_MS };
  if (!access.ok) {
    const open = { kind: provider.kind, baseUrl, key: null, headers: provider.headers ?? {} };
    return withoutKey(await listModels(open, deps), keyNamesOf(provider), new URL(baseUrl).host);
  }
  const isPublic = isOpenToAll(access.value)
    ? await Promise.all([listModels(access.value, deps), listModels(access.value, deps, { withKey: false })])
    : ([await listModels(access.value, deps), null] as const);
  const [listed, open] = isPublic;
  const host = new URL(baseUrl).host;
  if (!listed.ok) return refused(listed.error, access.value, host);
  const wanted = modelsOf(id, provider.models, settings.defaultModel);
  return judged(listed.value, { host, wanted, key: access.value.key, isPublic: open?.ok === true });
}

/** A compatible endpoint may show its list to everybody; then that it was shown to us says nothing of the key. */
function isOpenToAll({ kind, key }: ProviderAccess): boolean {
  return kind === 'openai-compatible' && key !== null;
}

/** Models of the provider that work here would ask for. */
function modelsOf(id: string, own: Readonly<Record<string, unknown>> = {}, standard: string | undefined): string[] {
  const ours = standard?.startsWith(`${id}/`) === true ? [standard.slice(id.length + 1)] : [];
  return [...new Set([...ours, ...Object.keys(own)])];
}

interface Facts {
  readonly host: string;
  readonly wanted: readonly string[];
  readonly key: string | null;
  readonly isPublic: boolean;
}

function judged(listed: readonly EndpointModel[], facts: Facts): Shown {
  const address = check('address', 'ok', `${facts.host} answers.`);
  const model = modelCheck(listed, facts.wanted);
  const checks = [address, keyCheck(facts), model];
  if (model.state !== 'bad') return { ok: true, checks, advice: null };
  return bad(checks, 'Take a model that is listed, or load the one that is named there.');
}

function keyCheck({ key, isPublic }: Facts): ProviderCheck {
  if (key === null) return check('key', 'ok', 'It asks for no key.');
  if (!isPublic) return check('key', 'ok', 'The key is accepted.');
  return check('key', 'unknown', 'Its list is open to everybody, so only a run shows whether the key is right.');
}

/** A dated name may stand for an undated one, and an Ollama name without a tag for `:latest`. */
function isListed(listed: readonly EndpointModel[], wanted: string): boolean {
  return listed.some(
    ({ model }) =>
      model === wanted ||
      model === `${wanted}:latest` ||
      (model.startsWith(`${wanted}-`) && /^\d{4}-?\d{2}-?\d{2}$/.test(model.slice(wanted.length + 1))),
  );
}

function modelCheck(listed: readonly EndpointModel[], wanted: readonly string[]): ProviderCheck {
  const count = listed.length === 1 ? '1 model' : `${listed.length} models`;
  if (listed.length === 0) return check('model', 'bad', 'It lists no model.');
  if (wanted.length === 0) return check('model', 'ok', `It lists ${count}.`);
  const missing = wanted.filter((name) => !isListed(listed, name));
  if (missing.length > 0) return check('model', 'bad', `It lists ${count}, but not ${missing.join(', ')}.`);
  return check(
    'model',
    'ok',
    `It lists ${count}, ${wanted.length === 1 ? (wanted[0] ?? '') : 'all that are named'} among them.`,
  );
}

function refused(problem: ListProblem, { key }: ProviderAccess, host: string): Shown {
  const { code, message } = problem;
  switch (code) {
    case 'unreachable':
    case 'timeout':
      return bad([check('address', 'bad', message)], 'Check the address, the network, and that the server runs.');
    case 'key_refused': {
      const words = key === null ? `It asks for a key. ${message}` : `The key is refused. ${message}`;
      const advice = key === null ? 'Give it a key.' : 'Take another key: this one is wrong, ended, or not for this.';
      return bad([check('address', 'ok', `${host} answers.`), check('key', 'bad', words)], advice);
    }
    case 'no_list': {
      const unknown = 'Without a list only a run shows whether key and model are right.';
      return { ok: true, checks: [check('address', 'ok', message), check('key', 'unknown', unknown)], advice: null };
    }
    case 'limited':
      return bad([check('address', 'bad', message)], 'Wait, or look at the limits and the balance of the account.');
    case 'failed':
      return bad(
        [check('address', 'bad', message)],
        'Try again later; if it stays so, check the address and its path.',
      );
  }
}

/** The key is missing; whether there is anything at the address is said all the same. */
function withoutKey(listed: Awaited<ReturnType<typeof listModels>>, names: readonly string[], host: string): Shown {
  const missing = check('key', 'bad', `There is no key: ${names.join(' or ')} is not set.`);
  const isThere = listed.ok || (listed.error.code !== 'unreachable' && listed.error.code !== 'timeout');
  const address = isThere
    ? check('address', 'ok', `${host} answers.`)
    : check('address', 'bad', listed.ok ? '' : listed.error.message);
  return bad([address, missing], 'Enter the key here, or set the variable and start Espalier again.');
}

function check(about: ProviderCheck['about'], state: ProviderCheck['state'], words: string): ProviderCheck {
  return { about, state, words };
}

function bad(checks: readonly ProviderCheck[], advice: string): Shown {
  return { ok: false, checks: [...checks], advice };
}
