import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { build as buildWithVite } from 'vite';
import { inRoot } from '../setup/root.mjs';
import { refuseLargeStart } from './initial-size.mjs';
import { BUNDLES, compileCacheStarter, esbuildOptions, NEVER_IN } from './bundles.mjs';

/** Bundles every row of the table. Throws when an entry is missing, a package is where it may not be, or a lazy import would be empty. */
export async function buildPrograms() {
  const missing = BUNDLES.filter(({ entry }) => !existsSync(inRoot(entry))).map(({ entry }) => entry);
  if (missing.length > 0) throw new Error(`build: no such entry: ${missing.join(', ')}`);
  for (const outdir of new Set(BUNDLES.map((bundle) => bundle.outdir)))
    rmSync(inRoot(outdir), { recursive: true, force: true });
  await Promise.all(
    BUNDLES.map(async (bundle) => {
      const { metafile } = await esbuild.build(esbuildOptions(bundle));
      refuseForbidden(bundle.outdir, metafile);
      refuseLazyCommonJs(metafile);
      writeStarter(bundle);
    }),
  );
}

/** @param {import('./bundles.mjs').Bundle} bundle */
export function writeStarter(bundle) {
  if (!bundle.compileCache) return;
  mkdirSync(inRoot(bundle.outdir), { recursive: true });
  writeFileSync(inRoot(bundle.outdir, `${bundle.name}.js`), compileCacheStarter(bundle));
}

/** The renderer, as static files in `dist/renderer`; refused when the page begins with too much. */
export async function buildWebApp() {
  await buildWithVite({ configFile: inRoot('vite.config.ts'), logLevel: 'warn' });
  refuseLargeStart();
}

/**
 * @param {string} outdir
 * @param {import('esbuild').Metafile | undefined} metafile
 */
function refuseForbidden(outdir, metafile) {
  const forbidden = Object.entries(NEVER_IN).find(([folder]) => folder === outdir)?.[1];
  if (!forbidden || !metafile) return;
  const found = Object.entries(metafile.inputs).flatMap(([from, { imports }]) =>
    imports.filter((imported) => forbidden.test(imported.path)).map((imported) => `${from} → ${imported.path}`),
  );
  if (found.length > 0) throw new Error(`build: may not be in ${outdir}: ${found.join(', ')}`);
}

/**
 * A lazy import of a CommonJS package keeps only `default` in a bundle, while Node run from source finds its names: what works in every test would
 * fail in the shipped program. Such a package is imported by name in a file of ours, which is imported lazily.
 * @param {import('esbuild').Metafile | undefined} metafile
 */
function refuseLazyCommonJs(metafile) {
  const inputs = metafile?.inputs ?? {};
  const found = Object.entries(inputs)
    .filter(([from]) => !from.includes('node_modules/'))
    .flatMap(([from, { imports }]) =>
      imports
        .filter(({ kind, path }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
        .map(({ path }) => `${from} → ${path}`),
    );
  if (found.length > 0) throw new Error(`build: a lazy import of CommonJS loses its names: ${found.join(', ')}`);
}
