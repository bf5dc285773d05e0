import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

/** Names by which a listener on `host` may be addressed; all others are refused, so that no foreign name leads here. */
export function allowedHosts(host: string, port: number): ReadonlySet<string> {
  const names = new Set(['127.0.0.1', 'localhost', '[::1]']);
  if (host === '0.0.0.0' || host === '::') {
    names.add(hostname().toLowerCase());
    for (const addresses of Object.values(networkInterfaces())) {
      for (const { address, family } of addresses ?? []) names.add(family === 'IPv6' ? `[${address}]` : address);
    }
  } else names.add(host.includes(':') ? `[${host}]` : host.toLowerCase());
  return new Set([...names].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

/** What is wrong with where a request comes from and goes to, or null. `needsOrigin`: a page must have sent it. */
export function refusedOrigin(
  request: IncomingMessage,
  hosts: ReadonlySet<string>,
  needsOrigin = false,
): string | null {
  const host = request.headers.host?.toLowerCase();
  if (host === undefined || !hosts.has(host)) return 'This address is not served here.';
  const { origin } = request.headers;
  if (origin === undefined) return needsOrigin ? 'The origin of the request is missing.' : null;
  return origin.toLowerCase() === `http://${host}` ? null : 'Requests of other pages are refused.';
}

/** The value of a cookie of a request, or the empty text. */
export function cookieOf(request: IncomingMessage, name: string): string {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return '';
}

/** The path of a request without its query; null when it is not one. */
export function pathOf(request: IncomingMessage): string | null {
  const [path = ''] = (request.url ?? '').split('?');
  try {
    const decoded = decodeURIComponent(path);
    return decoded.startsWith('/') && !decoded.includes('\0') ? decoded : null;
  } catch {
    return null;
  }
}
