import type { Settings } from '../../protocol/settings.ts';

/** A shorter "secret" would blank out ordinary words, and protects nothing. */
export const SHORTEST_SECRET = 6;

/** Headers whose values everybody may read. Any other may hold what authenticates, whatever its name (case 51). */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'anthropic-beta',
  'anthropic-version',
  'cache-control',
  'connection',
  'content-type',
  'helicone-cache-enabled',
  'http-referer',
  'openai-beta',
  'origin',
  'prefer',
  'referer',
  'user-agent',
  'x-title',
]);

/** Names of variables and members that hold what authenticates. */
const TELLING_NAME = /auth|credential|key|pass|secret|token|cookie|session/i;

/** What may authenticate in header values: each as a whole, without its scheme (`Bearer …`), and what cookies hold. */
export function headerSecrets(headers: Readonly<Record<string, string>> | undefined): string[] {
  const values = Object.entries(headers ?? {}).flatMap(([name, value]) => {
    if (HARMLESS_HEADERS.has(name.toLowerCase())) return [];
    const cookies = /cookie/i.test(name) ? value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1)) : [];
    return [value, value.replace(/^\S+\s+/, ''), ...cookies];
  });
  return longEnough(values);
}

/** What authenticates in an address: user, password, and every parameter. */
export function addressSecrets(address: string): string[] {
  const url = new URL(address);
  const user = [url.username, url.password].flatMap((part) => [part, decoded(part)]);
  return longEnough([...user, ...url.searchParams.values()]);
}

/** Texts in request extras, at any depth, whose names say that they authenticate. */
export function bodySecrets(value: unknown, isTelling = false): string[] {
  if (typeof value === 'string') return isTelling ? longEnough([value]) : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    bodySecrets(inner, isTelling || (!Array.isArray(value) && TELLING_NAME.test(name))),
  );
}

/** Values of variables whose names say that they authenticate, and what does in values that are JSON, as a whole configuration in one. */
export function variableSecrets(variables: Readonly<Record<string, string>> | undefined): string[] {
  return Object.entries(variables ?? {}).flatMap(([name, value]) =>
    TELLING_NAME.test(name) ? longEnough([value, ...bodySecrets(parsed(value))]) : bodySecrets(parsed(value)),
  );
}

function parsed(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return null;
  try {
    return JSON.parse(value);
  } catch {
    return null; // It only looked like JSON.
  }
}

/** Everything in the settings that may authenticate, of providers and agents. Keys themselves are in the environment. */
export function settingsSecrets({ providers, agents }: Pick<Settings, 'providers' | 'agents'>): string[] {
  return [
    ...Object.values(providers).flatMap(({ headers, extraBody, baseUrl }) => [
      ...headerSecrets(headers),
      ...bodySecrets(extraBody),
      ...(baseUrl === undefined ? [] : addressSecrets(baseUrl)),
    ]),
    ...Object.values(agents).flatMap(({ headers, extraBody, env }) => [
      ...headerSecrets(headers),
      ...bodySecrets(extraBody),
      ...variableSecrets(env),
    ]),
  ];
}

function longEnough(values: readonly string[]): string[] {
  return values.map((value) => value.trim()).filter((value) => value.length >= SHORTEST_SECRET);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A per cent sign of its own.
  }
}
