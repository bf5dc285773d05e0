import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { PAGE_HEADERS } from './content-policy.ts';
import { APP_URL, isOwnPage } from './own-page.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
};

/**
 * Answers a request of the page with a file below `root` (the built renderer), under the strict policy. A path that leads out of
 * the folder, by `..` or by a link, is not found, like one that is not there.
 */
export async function servePageFile(root: string, request: Pick<Request, 'url' | 'method'>): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const file = await fileOf(root, request.url);
  if (file === null) return refuse(404);
  const headers = { ...PAGE_HEADERS, 'content-type': TYPES[extname(file.path)] ?? 'application/octet-stream' };
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(file.bytes), { headers });
}

async function fileOf(root: string, url: string): Promise<{ path: string; bytes: Buffer } | null> {
  const name = isOwnPage(url, APP_URL) ? decoded(new URL(url).pathname) : null;
  if (name === null || name.includes('\0')) return null;
  try {
    const folder = await realpath(root);
    const path = await realpath(join(folder, name.endsWith('/') ? `${name}index.html` : name));
    return path.startsWith(folder + sep) ? { path, bytes: await readFile(path) } : null;
  } catch {
    return null; // Not there, or a folder.
  }
}

function decoded(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null; // Not an address that we ever write.
  }
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: PAGE_HEADERS });
}
