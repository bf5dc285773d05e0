import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Clock } from '../../kit/clock.ts';

/** A file of the page as it goes out. */
export interface StaticFile {
  readonly body: Buffer;
  readonly type: string;
  /** Its name changes with its content. */
  readonly immutable: boolean;
}

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** While the page is rebuilt its names change; more often than this nobody asks for a new one. */
const RESCAN_MS = 500;

/**
 * The files below a folder, by the path of a request. Only names that were listed are served, so no path leads out of
 * the folder; links are not followed.
 */
export class StaticFiles {
  readonly #folder: string;
  readonly #clock: Clock;
  #files: ReadonlyMap<string, string>;
  #scannedAt: number;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
    this.#files = scan(folder);
    this.#scannedAt = clock.monotonic();
  }

  /** The file at the path of a URL (`/` is the page), or null. */
  async get(path: string): Promise<StaticFile | null> {
    const name = path === '/' ? '/index.html' : path;
    const file = this.#files.get(name) ?? this.#rescanned().get(name);
    if (file === undefined) return null;
    try {
      const body = await readFile(file);
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      return { body, type, immutable: name.startsWith('/assets/') };
    } catch {
      return null; // Rebuilt meanwhile: it has another name now.
    }
  }

  #rescanned(): ReadonlyMap<string, string> {
    if (this.#clock.monotonic() - this.#scannedAt < RESCAN_MS) return this.#files;
    this.#scannedAt = this.#clock.monotonic();
    this.#files = scan(this.#folder);
    return this.#files;
  }
}

function scan(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      files.set(path.slice(folder.length).split(sep).join('/'), path);
    }
  } catch {
    return files; // Not built, or not any more: there is nothing to serve.
  }
  return files;
}
