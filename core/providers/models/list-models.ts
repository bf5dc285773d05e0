import { err, ok, type Result } from '../../kit/result.ts';
import type { Clock } from '../../kit/clock.ts';
import { assertNever } from '../../kit/assert-never.ts';
import type { ProviderAccess } from './resolve.ts';

/** A model as its endpoint lists it; null is what the list does not say. */
export interface EndpointModel {
  readonly model: string;
  /** Tokens. */
  readonly contextWindow: number | null;
  /** Tokens. */
  readonly maxOutput: number | null;
}

/** Why there is no list. Messages hold no key. */
export interface ListProblem {
  readonly code: 'unreachable' | 'timeout' | 'key_refused' | 'no_list' | 'limited' | 'failed';
  readonly message: string;
}

/** As much of `fetch` as a listing needs. */
export type ListFetch = (
  url: string,
  init: { headers: Record<string, string>; redirect: 'manual'; signal: AbortSignal },
) => Promise<Pick<Response, 'status' | 'ok' | 'body'>>;

export interface ListDeps {
  readonly fetch: ListFetch;
  readonly clock: Clock;
  /** Milliseconds after which nobody waits any more. */
  readonly within: number;
}

/** Some aggregators list thousands of models; a page that never ends is no list. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Asks an endpoint which models it has, by its own way. Within the given time there is an answer. A redirect is not followed, so that the key goes
 * nowhere else (K4). `withKey: false` shows whether the list is open to everybody.
 */
export async function listModels(
  access: ProviderAccess,
  { fetch, clock, within }: ListDeps,
  { withKey = true }: { readonly withKey?: boolean } = {},
): Promise<Result<EndpointModel[], ListProblem>> {
  const abort = new AbortController();
  const host = new URL(access.baseUrl).host;
  const late = new Promise<Result<never, ListProblem>>((resolve) => {
    const message = `${host} gave no answer within ${within / 1000} s.`;
    abort.signal.addEventListener('abort', () => resolve(err({ code: 'timeout', message })), { once: true });
  });
  const cancel = clock.after(within, () => abort.abort());
  const headers = { ...lowerCased(access.headers), ...(withKey ? keyHeaders(access) : {}), ...dialectHeaders(access) };
  try {
    return await Promise.race([late, ask(listUrl(access), host, headers, fetch, abort.signal)]);
  } finally {
    cancel();
  }
}

async function ask(
  url: string,
  host: string,
  headers: Record<string, string>,
  fetch: ListFetch,
  signal: AbortSignal,
): Promise<Result<EndpointModel[], ListProblem>> {
  try {
    const reply = await fetch(url, { headers, redirect: 'manual', signal });
    if (!reply.ok) {
      void reply.body?.cancel().catch(() => undefined);
      return err(refusal(reply.status, host));
    }
    const models = modelsIn(parsed(await textOf(reply.body)));
    return models === null
      ? err(noList(host, 'it answers, but with something else than a list of models'))
      : ok(models);
  } catch (error) {
    return err(unreachable(error, host));
  }
}

function listUrl({ kind, baseUrl }: ProviderAccess): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/models`;
  if (kind === 'anthropic') url.searchParams.set('limit', '1000');
  if (kind === 'google') url.searchParams.set('pageSize', '1000');
  return url.href;
}

/** How each dialect carries its key. */
function keyHeaders({ kind, key }: ProviderAccess): Record<string, string> {
  if (key === null) return {};
  switch (kind) {
    case 'anthropic':
      return { 'x-api-key': key };
    case 'google':
      return { 'x-goog-api-key': key };
    case 'openai':
    case 'openai-compatible':
      return { authorization: `Bearer ${key}` };
    default:
      return assertNever(kind);
  }
}

function dialectHeaders({ kind }: ProviderAccess): Record<string, string> {
  return kind === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {};
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function refusal(status: number, host: string): ListProblem {
  if (status === 401 || status === 403) return { code: 'key_refused', message: `${host} refuses it (${status}).` };
  if (status === 429) return { code: 'limited', message: `${host} asks to wait (429): a limit is reached.` };
  if (status >= 300 && status < 400) return noList(host, `it leads elsewhere (${status}), which is not followed`);
  if (status === 404 || status === 405 || status === 501) return noList(host, `it has no list of models (${status})`);
  return { code: 'failed', message: `${host} answers with an error (${status}).` };
}

function noList(host: string, why: string): ListProblem {
  return { code: 'no_list', message: `${host} can be reached, but ${why}.` };
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNRESET: 'the connection was broken off',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody we know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
};

/** Of the error only its code is told: a message may hold the address with what authenticates in it. */
function unreachable(error: unknown, host: string): ListProblem {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  const name = [cause?.code, code].find((one) => typeof one === 'string') ?? '';
  const why = CAUSES[String(name)] ?? (name === '' ? 'no connection' : String(name));
  return { code: 'unreachable', message: `${host} cannot be reached: ${why}.` };
}

async function textOf(body: Response['body']): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_BYTES) return '';
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // A page for people.
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** `data` with `id` (Anthropic, OpenAI and their kind), or `models` with `name` (Google, Ollama); null when it is neither. */
function modelsIn(value: unknown): EndpointModel[] | null {
  const { data, models } = (value ?? {}) as { data?: unknown; models?: unknown };
  const list: unknown = Array.isArray(data) ? data : models;
  if (!Array.isArray(list)) return null;
  const found = list.flatMap((entry): EndpointModel[] => {
    const fields = (entry ?? {}) as Fields;
    const name = fields['id'] ?? fields['name'];
    if (typeof name !== 'string' || name === '' || !isForText(fields)) return [];
    return [
      {
        model: name.replace(/^models\//, ''),
        contextWindow: numberIn(fields, 'max_input_tokens', 'context_length', 'context_window', 'inputTokenLimit'),
        maxOutput: numberIn(fields, 'max_tokens', 'max_completion_tokens', 'outputTokenLimit'),
      },
    ];
  });
  return [...new Map(found.map((one) => [one.model, one])).values()];
}

/** Google says of each model what it is for; the others say nothing. */
function isForText({ supportedGenerationMethods: methods }: Fields): boolean {
  return !Array.isArray(methods) || methods.includes('generateContent');
}

function numberIn(fields: Fields, ...names: readonly string[]): number | null {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'number' && value > 0);
  return typeof found === 'number' ? Math.trunc(found) : null;
}
