/**
 * `npm run check [step …]`: format, types, lint, import table, unused code, rules without a test; with names only these. Runs two at a time;
 * prints only what fails.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute } from 'node:path';
import { environmentWith, nodeForTests } from './setup/node.mjs';
import { inRoot, ROOT } from './setup/root.mjs';

const CODE = ['bin', 'bench', 'cli', 'core', 'e2e', 'electron', 'migrations', 'renderer'].filter((folder) =>
  existsSync(inRoot(folder)),
);

/** Longest first, so that the short ones fill the other core. What is no program of a package is a file of ours. */
const STEPS = {
  eslint: [
    'eslint/bin/eslint.js',
    '.',
    '--max-warnings=0',
    '--cache',
    '--cache-location=.cache/eslint/',
    '--cache-strategy=content',
  ],
  tsc: ['typescript/bin/tsc', '-b'],
  prettier: [
    'prettier/bin/prettier.cjs',
    '--check',
    '--log-level=warn',
    '--cache',
    '--cache-location=.cache/prettier',
    '.',
  ],
  knip: ['knip/bin/knip.js', '--no-progress'],
  rules: [inRoot('bin', 'check', 'rules-page.mjs'), '--check'],
  depcruise: ['dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.mjs', ...CODE],
};

const node = nodeForTests() ?? process.execPath;
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in STEPS));
if (unknown.length > 0) {
  console.error(`check: there is no step ${unknown.join(', ')}; the steps are ${Object.keys(STEPS).join(', ')}`);
  process.exit(2);
}
const waiting = Object.entries(STEPS).filter(([name]) => asked.length === 0 || asked.includes(name));
/** @type {string[]} */
const failed = [];
await Promise.all(Array.from({ length: Math.max(1, Math.min(3, availableParallelism())) }, work));
console.error(failed.length === 0 ? 'check: all passed' : `check: failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const [name, [script = '', ...args]] = step;
    const started = performance.now();
    const { status, output } = await capture([isAbsolute(script) ? script : inRoot('node_modules', script), ...args]);
    console.error(
      `check: ${name} ${status === 0 ? 'passed' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
    if (status === 0) continue;
    failed.push(name);
    process.stdout.write(output);
  }
}

/**
 * @param {string[]} args
 * @returns {Promise<{ status: number, output: string }>}
 */
function capture(args) {
  return new Promise((resolve) => {
    const child = spawn(node, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: environmentWith(node) });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('close', (code) => resolve({ status: code ?? 1, output }));
  });
}
