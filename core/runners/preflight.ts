import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { assertNever } from '../kit/assert-never.ts';
import type { EndpointHint } from '../protocol/profiles/profile.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A connection that is not made by then is not going to be. */
const LIMIT_MS = 8000;

/** Through a proxy the agent reaches what we cannot, and the other way round. */
const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'https_proxy', 'http_proxy', 'all_proxy'];

/** With one of these set requests go through a cloud, whose address is not ours to know. */
const CLOUDS = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

/** Where an agent's model requests go, as far as its configuration tells; null when that is not known, or goes through a proxy. */
export async function endpointOf(hint: EndpointHint | null, environment: Environment): Promise<URL | null> {
  if (hint === null || [...PROXIES, ...CLOUDS].some((name) => environment[name])) return null;
  const address = await addressOf(hint, environment);
  if (address === null || !URL.canParse(address)) return null;
  return new URL(address);
}

async function addressOf(hint: EndpointHint, environment: Environment): Promise<string | null> {
  switch (hint.type) {
    case 'variable':
      return fromVariables(hint, environment);
    case 'codex_config':
      return fromCodex(hint, environment);
    case 'opencode_config':
      return fromOpenCode(environment[hint.variable] ?? (await openCodeFile(environment)));
    default:
      return assertNever(hint);
  }
}

function fromVariables(hint: Extract<EndpointHint, { type: 'variable' }>, environment: Environment): string | null {
  return hint.names.map((name) => environment[name]).find((value) => value) ?? hint.otherwise;
}

/** The `base_url` of the chosen provider; only what is needed of the file is read, as it belongs to the agent. */
async function fromCodex(
  { home, otherwise }: Extract<EndpointHint, { type: 'codex_config' }>,
  environment: Environment,
): Promise<string | null> {
  const folder = environment[home] ?? (environment['HOME'] === undefined ? null : join(environment['HOME'], '.codex'));
  const text = folder === null ? '' : await readFile(join(folder, 'config.toml'), 'utf8').catch(() => '');
  const provider = /^\s*model_provider\s*=\s*"([^"]+)"/m.exec(text)?.[1];
  if (provider === undefined || provider === 'openai') return environment['OPENAI_BASE_URL'] ?? otherwise;
  const section = text.split(/^\s*\[/m).find((part) => part.startsWith(`model_providers.${provider}]`));
  // One of its own that we do not know, or none that we can read: then nothing is said.
  return /^\s*base_url\s*=\s*"([^"]+)"/m.exec(section ?? '')?.[1] ?? null;
}

function openCodeFile({ HOME, XDG_CONFIG_HOME }: Environment): Promise<string> {
  const folder = XDG_CONFIG_HOME ?? (HOME === undefined ? null : join(HOME, '.config'));
  return folder === null
    ? Promise.resolve('')
    : readFile(join(folder, 'opencode', 'opencode.json'), 'utf8').catch(() => '');
}

interface OpenCodeConfig {
  readonly model?: unknown;
  readonly provider?: Readonly<Record<string, { readonly options?: { readonly baseURL?: unknown } } | undefined>>;
}

/** Known only of a provider that the configuration itself gives an address. */
function fromOpenCode(source: string): string | null {
  try {
    const { model, provider } = JSON.parse(source) as OpenCodeConfig;
    const address = typeof model === 'string' ? provider?.[model.split('/')[0] ?? '']?.options?.baseURL : null;
    return typeof address === 'string' ? address : null;
  } catch {
    return null; // None, or with comments in it: then nothing is said.
  }
}

/** Why nothing can be reached there, in words; null when something answers. */
export function unreachable(endpoint: URL, signal?: AbortSignal): Promise<string | null> {
  const { hostname, protocol } = endpoint;
  const port = endpoint.port === '' ? (protocol === 'http:' ? 80 : 443) : Number(endpoint.port);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (problem: string | null): void => {
      socket.destroy();
      signal?.removeEventListener('abort', onAbort);
      resolve(problem);
    };
    const onAbort = (): void => settle(null);
    signal?.addEventListener('abort', onAbort, { once: true });
    socket.setTimeout(LIMIT_MS, () => settle(`${host}:${port} does not answer`));
    socket.once('connect', () => settle(null));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(`${host}:${port}: ${wordsOf(error)}`));
  });
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

function wordsOf(error: NodeJS.ErrnoException): string {
  const code = error.code ?? (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';
  return WORDS[code] ?? error.message;
}
