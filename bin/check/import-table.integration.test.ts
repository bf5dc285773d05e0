import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inRoot } from '../setup/root.mjs';
import { IMPORT_TABLE, UNBOUND } from './import-table.mjs';

interface Planted {
  file: string;
  source: string;
  /** The rule that must fire for this file; undefined: none may. */
  rule: string | undefined;
}

const MODULES = Object.keys(IMPORT_TABLE);
const TARGETS = [...MODULES, ...UNBOUND];

/** Every pair of modules, allowed or not, so that no row of the table goes untried. */
const pairs: Planted[] = MODULES.flatMap((from) =>
  TARGETS.filter((to) => to !== from).map((to) => ({
    file: `${from}/planted-${to.replace('/', '-')}.ts`,
    source: importOf(from, to),
    rule: IMPORT_TABLE[from]?.includes(to) ? undefined : `table-${from.replace('/', '-')}`,
  })),
);

const others: Record<string, Planted> = {
  'a test may import core/testing': plant('core/runs/a.test.ts', importOf('core/runs', 'core/testing'), undefined),
  'a test may not import past its row': plant(
    'core/kit/a.test.ts',
    importOf('core/kit', 'core/host'),
    'table-core-kit-tests',
  ),
  'a product file may not import core/testing': plant(
    'core/host/b.ts',
    importOf('core/host', 'core/testing'),
    'only-tests-import-testing',
  ),
  'what tests of the command line share may import core/testing': plant(
    'cli/testing/a.ts',
    importOf('cli/testing', 'core/testing'),
    undefined,
  ),
  'a product file of the command line may not import what its tests share': plant(
    'cli/core/a.ts',
    `import '../testing/a.ts';\n`,
    'only-tests-import-testing',
  ),
  'e2e may import anything': plant(
    'e2e/a.ts',
    importOf('e2e', 'core/testing') + importOf('e2e', 'core/registry'),
    undefined,
  ),
  'bench may import anything': plant('bench/a.ts', importOf('bench', 'core/runners'), undefined),
  'a product file may not import a test': plant('core/kit/c.ts', `import './planted.test.ts';\n`, 'no-test-in-product'),
  'runners are siblings': plant('core/runners/acp/a.ts', `import '../command/target.ts';\n`, 'siblings-core-runners'),
  'one runner imports itself': plant('core/runners/acp/b.ts', `import './a-part.ts';\n`, undefined),
  'a runner imports one level up': plant('core/runners/acp/c.ts', `import '../target.ts';\n`, undefined),
  'features are siblings': plant(
    'renderer/features/tree/a.tsx',
    `import '../inbox/target.tsx';\n`,
    'siblings-renderer-features',
  ),
  'SQLite is at home in the registry': plant('core/registry/b.ts', `import 'better-sqlite3';\n`, undefined),
  'SQLite is nowhere else': plant('core/host/c.ts', `import 'better-sqlite3';\n`, 'only-home-of-better-sqlite3'),
  'not even the type of SQLite is elsewhere': plant(
    'core/workers/c.ts',
    `import type { Database } from 'better-sqlite3';\nexport type D = Database;\n`,
    'only-home-of-better-sqlite3',
  ),
  'electron is at home in the shell': plant('electron/b.ts', `import 'electron';\n`, undefined),
  'electron is nowhere else': plant('core/host/d.ts', `import 'electron';\n`, 'only-home-of-electron'),
  'no Node in the renderer': plant('renderer/b.ts', `import 'node:fs';\n`, 'no-node-in-renderer'),
  'no Node without its prefix in the renderer': plant('renderer/c.ts', `import 'fs';\n`, 'no-node-in-renderer'),
  'no Node in the protocol': plant('core/protocol/b.ts', `import 'node:os';\n`, 'no-node-in-protocol'),
  'decide is pure': plant(
    'core/delegation/decide-x.ts',
    importOf('core/delegation', 'core/registry'),
    'decide-is-pure',
  ),
  'decide may use runs': plant('core/delegation/decide-y.ts', importOf('core/delegation', 'core/runs'), undefined),
  'decide may use the plain data beside it': plant('core/delegation/decide-z.ts', `import './target.ts';\n`, undefined),
  'decide reaches no file, however far down': plant(
    'core/delegation/decide-far.ts',
    `import './far.ts';\n`,
    'decide-reaches-nothing-outside',
  ),
  'no cycles': plant('core/kit/d.ts', `import './e.ts';\n`, 'no-cycles'),
  'no cycles of types either': plant(
    'core/kit/f.ts',
    `import type { G } from './g.ts';\nexport type F = G;\n`,
    'no-cycles',
  ),
  'an import that leads nowhere': plant('core/kit/h.ts', `import './not-there.ts';\n`, 'resolvable'),
  'a folder that names nothing': plant('core/kit/i.ts', `import './utils/target.ts';\n`, 'folder-is-a-noun'),
  'a module without a row': plant('core/host/e.ts', `import '../novelty/target.ts';\n`, 'in-the-table'),
};

const targets: Record<string, string> = {
  ...Object.fromEntries(TARGETS.map((module) => [`${module}/target.ts`, 'export {};\n'])),
  'core/kit/planted.test.ts': 'export {};\n',
  'core/delegation/far.ts': `import '../kit/files.ts';\n`,
  'core/kit/files.ts': `import 'node:fs';\n`,
  'core/kit/e.ts': `import './d.ts';\n`,
  'core/kit/g.ts': `import type { F } from './f.ts';\nexport type G = F | 1;\n`,
  'core/kit/utils/target.ts': 'export {};\n',
  'core/novelty/target.ts': 'export {};\n',
  'core/runners/command/target.ts': 'export {};\n',
  'core/runners/acp/a-part.ts': 'export {};\n',
  'renderer/features/inbox/target.tsx': 'export {};\n',
};

let root: string;
/** The rules that fired, for each planted file. */
const fired = new Map<string, Set<string>>();

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'espalier-table-'));
  for (const [file, source] of Object.entries(targets)) write(file, source);
  for (const { file, source } of [...pairs, ...Object.values(others)]) write(file, source);
  symlinkSync(inRoot('node_modules'), join(root, 'node_modules'), 'dir');
  for (const { from, rule } of cruise()) fired.set(from, (fired.get(from) ?? new Set()).add(rule.name));
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('every pair of the table', () => {
  test.each(MODULES)('%s imports what its row lists and nothing else', (module) => {
    const expected = pairs.filter(({ file }) => dirname(file) === module);
    expect(expected.map(({ file }) => [file, hasFired(file, `table-${module.replace('/', '-')}`)])).toEqual(
      expected.map(({ file, rule }) => [file, rule !== undefined]),
    );
  });
});

describe('the other rules', () => {
  test.each(Object.keys(others))('%s', (title) => {
    const planted = others[title] as Planted;
    const rules = [...(fired.get(planted.file) ?? [])];
    if (planted.rule === undefined) expect(rules).toEqual([]);
    else expect(rules).toContain(planted.rule);
  });
});

function plant(file: string, source: string, rule: string | undefined): Planted {
  return { file, source, rule };
}

function importOf(from: string, to: string): string {
  return `import '${from.replace(/[^/]+/g, '..')}/${to}/target.ts';\n`;
}

function write(file: string, source: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), source);
}

function hasFired(file: string, rule: string): boolean {
  return fired.get(file)?.has(rule) ?? false;
}

/** Runs dependency-cruiser as `npm run check` does, in the folder of planted files. */
function cruise(): { from: string; rule: { name: string } }[] {
  const args = [
    inRoot('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
    '--config',
    inRoot('.dependency-cruiser.mjs'),
    '--output-type',
    'json',
    '--no-cache',
    'bench',
    'bin',
    'cli',
    'core',
    'e2e',
    'electron',
    'migrations',
    'renderer',
  ];
  try {
    // It exits with the number of violations.
    return read(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }));
  } catch (error) {
    return read((error as { stdout: string }).stdout);
  }
}

function read(output: string): { from: string; rule: { name: string } }[] {
  return (JSON.parse(output) as { summary: { violations: { from: string; rule: { name: string } }[] } }).summary
    .violations;
}
