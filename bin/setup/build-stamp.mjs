import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot, ROOT } from './root.mjs';

const STAMP = inRoot('dist', '.build-stamp');
/** What the build reads. Tests are not part of it. */
const SOURCES = [
  'core',
  'cli',
  'electron',
  'renderer',
  'bin/build',
  'bin/build.mjs',
  'vite.config.ts',
  'package-lock.json',
];

/** A hash over the names and contents of all that the build reads. */
export function sourceHash() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap(filesAt))
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

/** Whether `dist/` was built from the sources as they are now. */
export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sourceHash();
}

/**
 * Records a finished build.
 * @param {string} hash of the sources as they were when the build began
 */
export function writeBuildStamp(hash) {
  writeFileSync(STAMP, hash);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesAt(path) {
  if (!existsSync(join(ROOT, path))) return [];
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(join(ROOT, path), { recursive: true })
    .map((name) => join(path, String(name)))
    .filter((file) => !/\.test\.tsx?$/.test(file) && statSync(join(ROOT, file)).isFile())
    .sort();
}
