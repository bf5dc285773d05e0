import type { McpServerSettings } from '../../protocol/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A server with `${NAME}` and `${NAME:-default}` in its values filled in from the environment; one that is not there is empty. */
export function withVariables(server: McpServerSettings, environment: Environment): McpServerSettings {
  const fill = (text: string): string =>
    text.replaceAll(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, other: string | undefined) => {
      return environment[name] ?? other ?? '';
    });
  const all = (values: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]));
  if ('url' in server) return { ...server, url: fill(server.url), headers: all(server.headers) };
  return { ...server, command: fill(server.command), args: (server.args ?? []).map(fill), env: all(server.env) };
}

/** Shorter values are words that stand in any text. */
const LEAST_SECRET = 8;

/** Takes what is secret of a server out of a text that comes from it. */
export function redactor(server: McpServerSettings): (text: string) => string {
  const values = Object.values(('url' in server ? server.headers : server.env) ?? {});
  const secrets = values
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .filter(({ length }) => length >= LEAST_SECRET)
    .toSorted((a, b) => b.length - a.length);
  return (text) => secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '[redacted]'), text);
}
