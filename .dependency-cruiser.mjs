import {
  IMPORT_TABLE,
  MIGRATION_TESTS_MAY,
  NO_SUCH_FOLDER,
  ONE_HOME,
  SIBLINGS,
  TESTS_MAY_ALSO,
  UNBOUND,
} from './bin/check/import-table.mjs';

const TEST_FILE = '[.]test[.]tsx?$';
// What only the tests of the command line use.
const CLI_TESTING = '^cli/testing/';
const MODULES = Object.keys(IMPORT_TABLE);

/** @param {string[]} folders */
const inside = (folders) => `^(${folders.map((folder) => folder.replaceAll('.', '[.]')).join('|')})/`;
/** @param {string} name */
const slug = (name) => name.replaceAll('/', '-');

/** Two rules a module: one for its product files, one for the tests beside them. */
const tableRules = MODULES.flatMap((module) => {
  const may = [module, ...IMPORT_TABLE[module]];
  const testsMay = [...may, ...TESTS_MAY_ALSO, ...(module === 'migrations' ? MIGRATION_TESTS_MAY : [])];
  const all = inside([...MODULES, ...UNBOUND]);
  return [
    {
      name: `table-${slug(module)}`,
      severity: 'error',
      comment: `${module} may import only: ${IMPORT_TABLE[module].join(', ') || 'nothing'}`,
      from: { path: inside([module]), pathNot: `${TEST_FILE}|${CLI_TESTING}` },
      to: { path: all, pathNot: inside(may) },
    },
    {
      name: `table-${slug(module)}-tests`,
      severity: 'error',
      comment: `tests in ${module} may import only: ${testsMay.join(', ')}`,
      from: { path: `${inside([module])}.*${TEST_FILE}${module === 'cli' ? `|${CLI_TESTING}` : ''}` },
      to: { path: all, pathNot: inside(testsMay) },
    },
  ];
});

const siblingRules = SIBLINGS.map((folder) => ({
  name: `siblings-${slug(folder)}`,
  severity: 'error',
  comment: `siblings in ${folder} never import each other; they meet one level up`,
  from: { path: `^${folder}/([^/]+)/` },
  to: { path: `^${folder}/[^/]+/`, pathNot: `^${folder}/$1/` },
}));

const homeRules = Object.entries(ONE_HOME).map(([name, homes]) => ({
  name: `only-home-of-${name}`,
  severity: 'error',
  comment: `${name} is imported only in ${homes.join(', ')}`,
  from: { pathNot: inside(homes) },
  to: { path: `(^|/)node_modules/(@types/)?${name}/|^${name}$` },
}));

export default {
  forbidden: [
    ...tableRules,
    ...siblingRules,
    ...homeRules,
    {
      name: 'no-node-in-renderer',
      severity: 'error',
      comment: 'the renderer runs in a browser',
      from: { path: '^renderer/', pathNot: TEST_FILE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-node-in-protocol',
      severity: 'error',
      comment: 'core/protocol runs in Node and in the browser',
      from: { path: '^core/protocol/', pathNot: TEST_FILE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'decide-is-pure',
      severity: 'error',
      comment: 'decide-* uses protocol, kit, core/runs and the plain data beside it',
      from: { path: '^core/([^/]+)/.*decide-[^/]+[.]ts$', pathNot: TEST_FILE },
      to: { pathNot: '^core/(protocol|kit|runs|$1)/' },
    },
    {
      name: 'decide-reaches-nothing-outside',
      severity: 'error',
      comment: 'nothing that decide-* uses, however far down, touches storage, files, processes or sockets',
      from: { path: '/decide-[^/]*[.]ts$', pathNot: TEST_FILE },
      to: {
        path: '^core/registry/|^(node:)?(fs|child_process|net|http|https|worker_threads|dgram|tls)(/|$)',
        reachable: true,
      },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      comment: 'product files never import a test',
      from: { pathNot: TEST_FILE },
      to: { path: TEST_FILE },
    },
    {
      name: 'only-tests-import-testing',
      severity: 'error',
      comment: 'testing folders are for tests, e2e and bench',
      from: { pathNot: `${inside(['core/testing', 'renderer/testing', 'cli/testing', ...UNBOUND])}|${TEST_FILE}` },
      to: { path: '^(core|renderer|cli)/testing/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'an import that cannot be resolved escapes every other rule',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'folder-is-a-noun',
      severity: 'error',
      comment: `no folder or file called ${NO_SUCH_FOLDER.join(', ')}`,
      from: {},
      to: { path: `(^|/)(${NO_SUCH_FOLDER.join('|')})([.]tsx?|/)`, pathNot: 'node_modules' },
    },
    {
      name: 'in-the-table',
      severity: 'error',
      comment: 'a module of core that has no row in the table',
      from: {},
      to: { path: '^(core|cli|electron|renderer|migrations|bin)/', pathNot: inside(MODULES) },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    exclude: { path: '^dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
    builtInModules: { add: ['node:sqlite', 'node:test'] },
    cache: { folder: '.cache/depcruise', strategy: 'content' },
  },
};
