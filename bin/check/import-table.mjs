/**
 * The import table: what each module may import beside itself. What is not listed is forbidden.
 * `.dependency-cruiser.mjs` turns it into rules; `import-table.integration.test.ts` plants a violation of each.
 *
 * @typedef {{ may: string[] }} Row
 */

const ENGINE = [
  'core/kit',
  'core/protocol',
  'core/runs',
  'core/registry',
  'core/providers',
  'core/workspace',
  'core/mcp',
  'core/runners',
  'core/workers',
  'core/delegation',
  'core/scripted-model',
  'core/host',
];

/** @type {Record<string, string[]>} */
export const IMPORT_TABLE = {
  'core/kit': [],
  'core/protocol': [],
  'core/runs': ['core/kit', 'core/protocol'],
  'core/registry': ['core/kit', 'core/protocol', 'core/runs'],
  'core/providers': ['core/kit', 'core/protocol'],
  'core/workspace': ['core/kit', 'core/protocol'],
  'core/mcp': ['core/kit', 'core/protocol'],
  'core/runners': ['core/kit', 'core/protocol', 'core/providers', 'core/workspace', 'core/mcp'],
  'core/workers': ['core/kit', 'core/protocol', 'core/runners'],
  'core/delegation': ['core/kit', 'core/protocol', 'core/runs', 'core/registry'],
  'core/scripted-model': ['core/kit', 'core/protocol'],
  'core/host': ENGINE,
  'core/testing': ENGINE,
  cli: ['core/protocol', 'core/kit', 'core/host'],
  electron: ['core/protocol', 'core/kit', 'core/host'],
  renderer: ['core/protocol'],
  migrations: [],
  bin: [],
};

/** These may import anything of the product: they drive it from outside. */
export const UNBOUND = ['e2e', 'bench'];

/** A test beside a file follows its module's row, and may also use these. */
export const TESTS_MAY_ALSO = ['core/testing', 'core/kit', 'core/protocol'];

/** A migration's test opens a database as the registry does. */
export const MIGRATION_TESTS_MAY = ['core/registry'];

/** Folders whose children are siblings: `<folder>/a` never imports `<folder>/b`; they meet one level up. */
export const SIBLINGS = ['core/runners', 'renderer/features'];

/** npm packages with one home. */
export const ONE_HOME = {
  'better-sqlite3': ['core/registry', 'bench', 'e2e'],
  electron: ['electron', 'e2e'],
};

/** Names that say nothing of the domain. */
export const NO_SUCH_FOLDER = ['utils', 'util', 'helpers', 'helper', 'misc', 'manager', 'managers', 'common'];
