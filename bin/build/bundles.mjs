import { inRoot } from '../setup/root.mjs';
import { builtins } from './builtins.mjs';

/**
 * One row for each program that is bundled. A missing entry is a build error.
 *
 * @typedef {object} Bundle
 * @property {string} entry the source, from the root
 * @property {string} outdir
 * @property {string} name of the output without extension
 * @property {'esm' | 'cjs'} format
 * @property {boolean} [compileCache] its compiled code is kept between starts, by a first file that switches that on
 * @property {string[]} external packages that stay packages: native code, or given by the host
 */

/** @type {Bundle[]} */
export const BUNDLES = [
  // better-sqlite3 is native; a worker never touches the database and must not carry it.
  {
    entry: 'core/host/child.ts',
    outdir: 'dist/worker',
    name: 'child',
    format: 'esm',
    compileCache: true,
    external: [],
  },
  // The stdio MCP server that agents start to reach their worker.
  { entry: 'core/mcp/bridge/program.ts', outdir: 'dist/mcp', name: 'bridge', format: 'esm', external: [] },
  // The thread that reads, backs up and checks databases away from the loop.
  {
    entry: 'core/registry/reader/thread.ts',
    outdir: 'dist/registry',
    name: 'thread',
    format: 'esm',
    external: ['better-sqlite3'],
  },
  {
    entry: 'cli/main.ts',
    outdir: 'dist/cli',
    name: 'main',
    format: 'esm',
    external: ['better-sqlite3', '@lydell/node-pty'],
  },
  {
    entry: 'electron/main.ts',
    outdir: 'dist/electron',
    name: 'main',
    format: 'cjs',
    external: ['electron', 'better-sqlite3', '@lydell/node-pty'],
  },
  // A sandboxed preload can load nothing but `electron`.
  { entry: 'electron/preload.ts', outdir: 'dist/electron', name: 'preload', format: 'cjs', external: ['electron'] },
];

/** Packages that may not end up in a bundle, not even as an external import. */
export const NEVER_IN = { 'dist/worker': /better-sqlite3|(^|\/)electron\// };

/** CommonJS packages inside an ESM bundle still call `require` for Node's own modules. */
const ESM_BANNER = "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);";
/** `import.meta` is empty in CommonJS output. */
const CJS_BANNER = "const __import_meta_url = require('node:url').pathToFileURL(__filename).href;";
const CJS_META = {
  'import.meta.url': '__import_meta_url',
  'import.meta.dirname': '__dirname',
  'import.meta.filename': '__filename',
};

/** @param {string} name */
const programName = (name) => `${name}-program`;

/**
 * The first file of a program with a compile cache. The cache works only for what is loaded after it is switched on, so
 * the program cannot do this itself; where the folder cannot be written, Node goes on without.
 * @param {Bundle} bundle
 */
export function compileCacheStarter({ name }) {
  return [
    "const { enableCompileCache } = process.getBuiltinModule('node:module');",
    "const { fileURLToPath } = process.getBuiltinModule('node:url');",
    "enableCompileCache(fileURLToPath(new URL('../.compile-cache', import.meta.url)));",
    `await import('./${programName(name)}.js');`,
    '',
  ].join('\n');
}

/**
 * @param {Bundle} bundle
 * @returns {import('esbuild').BuildOptions}
 */
export function esbuildOptions({ entry, outdir, name, format, external, compileCache }) {
  const isEsm = format === 'esm';
  const isPreload = name === 'preload';
  return {
    absWorkingDir: inRoot(),
    entryPoints: { [compileCache ? programName(name) : name]: entry },
    outdir,
    outExtension: { '.js': isEsm ? '.js' : '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node22.12',
    format,
    // What is imported lazily (model providers) stays in files of its own, read only when used.
    splitting: isEsm,
    chunkNames: `${name}-chunks/[name]-[hash]`,
    external,
    banner: isPreload ? {} : { js: isEsm ? ESM_BANNER : CJS_BANNER },
    define: { 'process.env.NODE_ENV': '"production"', ...(isEsm || isPreload ? {} : CJS_META) },
    mainFields: ['module', 'main'],
    conditions: ['module'],
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: isPreload ? [] : [builtins],
  };
}
