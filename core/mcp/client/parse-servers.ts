import { McpServerSettings } from '../../protocol/settings.ts';

/** Servers of a file in the form that many clients read, and what of it cannot be used, in words. */
export interface ParsedServers {
  readonly servers: Readonly<Record<string, McpServerSettings>>;
  readonly faults: readonly string[];
}

const NAME = /^[A-Za-z0-9_-]{1,32}$/;

/** Reads `{"mcpServers": {name: server}}`. One server that cannot be used costs only itself; keys of other clients are passed over. */
export function parseServers(text: string): ParsedServers {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return { servers: {}, faults: ['It is no JSON.'] };
  }
  const { mcpServers } = (typeof file === 'object' && file !== null ? file : {}) as { mcpServers?: unknown };
  if (typeof mcpServers !== 'object' || mcpServers === null)
    return { servers: {}, faults: ['It names no mcpServers.'] };
  const servers: Record<string, McpServerSettings> = {};
  const faults: string[] = [];
  for (const [name, written] of Object.entries(mcpServers)) {
    const server = McpServerSettings.safeParse(knownPart(written));
    if (!NAME.test(name))
      faults.push(`The server name "${name.slice(0, 40)}" has characters that no tool name can have.`);
    else if (server.success) servers[name] = server.data;
    else faults.push(`The server "${name}" has neither a command nor an address that can be used.`);
  }
  return { servers, faults };
}

const KEYS = ['type', 'command', 'args', 'env', 'url', 'headers'];

function knownPart(written: unknown): unknown {
  if (typeof written !== 'object' || written === null) return written;
  return Object.fromEntries(Object.entries(written).filter(([key]) => KEYS.includes(key)));
}
