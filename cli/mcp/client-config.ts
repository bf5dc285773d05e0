/** Clients whose settings we know. */
export type ConfiguredClient = 'claude' | 'codex' | 'gemini' | 'opencode';

/** What goes into the settings of a client, and where. */
export interface ClientConfig {
  readonly place: string;
  readonly text: string;
}

/** A delegation may take hours; clients that give up on a tool after a time of their own are told to wait a day. */
const WAIT_SECONDS = 86_400;

/** The settings with which a client starts `espalier mcp`, as it writes them. `env` only where it is needed. */
export function clientConfig(
  client: ConfiguredClient,
  program: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  },
): ClientConfig {
  const { command, args } = program;
  const env = Object.keys(program.env).length === 0 ? {} : { env: program.env };
  switch (client) {
    case 'claude': {
      const server = { type: 'stdio', command, args, ...env };
      return { place: 'run it in a shell', text: `claude mcp add-json espalier ${quoted(JSON.stringify(server))}` };
    }
    case 'codex':
      return { place: '~/.codex/config.toml', text: toml(program) };
    case 'gemini': {
      const espalier = { command, args, ...env, timeout: WAIT_SECONDS * 1000 };
      return { place: '~/.gemini/settings.json', text: JSON.stringify({ mcpServers: { espalier } }, null, 2) };
    }
    case 'opencode': {
      const environment = 'env' in env ? { environment: env.env } : {};
      const espalier = { type: 'local', command: [command, ...args], enabled: true, ...environment };
      const experimental = { mcp_timeout: WAIT_SECONDS * 1000 };
      return {
        place: '~/.config/opencode/opencode.json',
        text: JSON.stringify({ mcp: { espalier }, experimental }, null, 2),
      };
    }
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function toml({ command, args, env }: Parameters<typeof clientConfig>[1]): string {
  const lines = [
    '[mcp_servers.espalier]',
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    `tool_timeout_sec = ${WAIT_SECONDS}`,
  ];
  const variables = Object.entries(env).map(([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`);
  if (variables.length > 0) lines.push(`env = { ${variables.join(', ')} }`);
  return lines.join('\n');
}
