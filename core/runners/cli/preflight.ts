import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../kit/clock.ts';
import type { EndpointHint } from '../../protocol/profiles/profile.ts';
import type { AgentFailure } from './agent-event.ts';

/** A server that accepts nothing for so long counts as unreachable; agents that retry without end would hide it for ever. */
const CONNECT_MS = 20_000;

type Environment = Readonly<Record<string, string>>;

/** Looks whether the agent's model server can be reached at all; null when it can, or when nobody knows where it is. */
export async function preflight(
  hint: EndpointHint | null,
  environment: Environment,
  clock: Clock,
  signal: AbortSignal,
): Promise<AgentFailure | null> {
  // Through a proxy only the proxy is reached; whether it can go on is its own affair.
  if (Object.keys(environment).some((name) => /^(https?|all)_proxy$/i.test(name))) return null;
  const address = hint === null ? null : await addressOf(hint, environment);
  const url = address === null ? null : URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const trouble = await reach(url, clock, signal);
  if (trouble === null) return null;
  return { reason: 'network', message: `The model server ${url.host} cannot be reached: ${trouble}` };
}

async function addressOf(hint: EndpointHint, environment: Environment): Promise<string | null> {
  if (hint.type === 'variable') {
    return hint.names.map((name) => environment[name]).find((value) => value) ?? hint.otherwise;
  }
  const folder = environment[hint.home] ?? join(environment['HOME'] ?? '/', '.codex');
  const config = await readFile(join(folder, 'config.toml'), 'utf8').catch(() => '');
  const provider = /^\s*model_provider\s*=\s*"([^"]+)"/m.exec(config)?.[1];
  if (provider === undefined) return hint.otherwise;
  const section = config.split(/^\s*\[/m).find((part) => part.startsWith(`model_providers.${provider}]`));
  return /^\s*base_url\s*=\s*"([^"]+)"/m.exec(section ?? '')?.[1] ?? null;
}

function reach(url: URL, clock: Clock, signal: AbortSignal): Promise<string | null> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port });
    const done = (trouble: string | null): void => {
      cancel();
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(trouble);
    };
    const cancel = clock.after(CONNECT_MS, () => done(`no connection within ${CONNECT_MS / 1000} s`));
    // The stop is told by the run itself.
    const onAbort = (): void => done(null);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => done(null));
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  });
}
