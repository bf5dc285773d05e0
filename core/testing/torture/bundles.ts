import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

/** Programs as they are shipped: bundled, because workers from source take seconds to start. */
export interface Bundles {
  readonly core: string;
  /** The same worker at two places, as before and after an update. */
  readonly workers: readonly [string, string];
}

const BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** Bundles the core and the journaled worker into `folder`, which must be below the package: native code stays a package. */
export async function buildBundles(folder: string): Promise<Bundles> {
  mkdirSync(folder, { recursive: true });
  const bundle = async (name: string, entry: URL): Promise<string> => {
    await build({
      entryPoints: { [name]: fileURLToPath(entry) },
      outdir: folder,
      entryNames: `[dir]/[name]`,
      chunkNames: `${name}-chunks/[name]-[hash]`,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node22.12',
      external: ['better-sqlite3'],
      banner: { js: BANNER },
      mainFields: ['module', 'main'],
      logLevel: 'error',
    });
    return join(folder, `${name}.js`);
  };
  const [core, before, after] = await Promise.all([
    bundle('core', new URL('./core-program.ts', import.meta.url)),
    bundle('worker-1', new URL('./journaled-child.ts', import.meta.url)),
    bundle('worker-2', new URL('./journaled-child.ts', import.meta.url)),
  ]);
  await stop();
  return { core, workers: [before, after] };
}
