import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { inRoot } from '../setup/root.mjs';

/** The most that the page reads before it can be drawn at all: kilobytes of JavaScript, compressed. The rest comes by view. */
const LIMIT_KB = 350;

/**
 * @typedef {Record<string, { file: string, isEntry?: boolean, imports?: string[] }>} Manifest what Vite says about its output
 */

/**
 * The scripts that are read before the first one runs: the entry and all that it imports, except what is imported lazily.
 * @param {Manifest} manifest
 */
export function initialScripts(manifest) {
  const waiting = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  if (waiting.length === 0) throw new Error('build: the manifest of the web app names no entry');
  const seen = new Set(waiting);
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const imported = manifest[key]?.imports ?? [];
    for (const next of imported.filter((name) => !seen.has(name))) {
      seen.add(next);
      waiting.push(next);
    }
  }
  const files = [...seen].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'));
  return files.sort();
}

/** Measures the built web app; throws when what it begins with has grown over the limit. Answers kilobytes. */
export function refuseLargeStart() {
  const dist = inRoot('dist', 'renderer');
  const manifest = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, 'utf8'));
  const sizes = initialScripts(manifest).map((file) => ({
    file,
    kb: gzipSync(readFileSync(`${dist}/${file}`)).length / 1000,
  }));
  const total = sizes.reduce((sum, { kb }) => sum + kb, 0);
  if (total > LIMIT_KB) {
    const largest = sizes.sort((a, b) => b.kb - a.kb).slice(0, 5);
    const list = largest.map(({ file, kb }) => `${kb.toFixed(0)} kB ${file}`).join(', ');
    throw new Error(
      `build: the page begins with ${total.toFixed(0)} kB of compressed script, more than ${LIMIT_KB}: ${list}. Import lazily what the first view does not need.`,
    );
  }
  return total;
}
