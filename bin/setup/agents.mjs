import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from './child.mjs';
import { inRoot } from './root.mjs';

/**
 * Which of the pinned agent programs: `tests` are those of `npm test`, `all` those of `npm run e2e:agents` as well, `peers` what
 * `npm run bench peers` needs beside them.
 * @typedef {'tests' | 'all' | 'peers'} AgentSet
 */

/** @type {Record<AgentSet, string>} Where they are pinned. */
const PINNED = {
  tests: inRoot('e2e', 'agents'),
  all: inRoot('e2e', 'agents'),
  peers: inRoot('bench', 'peers', 'programs'),
};

const FILES = ['package.json', 'package-lock.json', '.npmrc'];

/**
 * Where the pinned agent programs are, or will be: outside the clone, one folder a lock file and set.
 * @param {AgentSet} set
 */
function agentsFolder(set) {
  const hash = createHash('sha256').update(readFileSync(join(PINNED[set], 'package-lock.json')));
  const name = `${hash.digest('hex').slice(0, 16)}-${process.platform}-${process.arch}`;
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(process.env['ESPALIER_AGENTS_CACHE'] || join(cache, 'espalier-agents'), name, set);
}

/**
 * The folder with the set's `node_modules`, installed exactly as locked if it is not there yet; undefined when that failed.
 * Two at once install twice, and the first to end wins: a folder that is there is whole.
 * @param {AgentSet} set
 * @returns {Promise<string | undefined>}
 */
export async function ensureAgents(set) {
  const wider = set === 'tests' ? [agentsFolder('all')] : [];
  for (const there of [...wider, agentsFolder(set)]) if (existsSync(join(there, 'installed'))) return there;
  const target = agentsFolder(set);
  const fresh = `${target}-${process.pid}`;
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  for (const file of FILES) copyFileSync(join(PINNED[set], file), join(fresh, file));
  console.error(`Installing the agent programs (${set}) into ${target} …`);
  if ((await npmCi(fresh, set)) !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    return undefined;
  }
  writeFileSync(join(fresh, 'installed'), `${set}\n`);
  try {
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(target, 'installed'))) throw error;
  }
  return target;
}

/**
 * No install script runs: the programs that are started are the packaged binaries and modules themselves.
 * @param {string} cwd
 * @param {AgentSet} set
 */
function npmCi(cwd, set) {
  const args = ['ci', '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  args.push(set === 'all' ? '--include=dev' : '--omit=dev');
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  // Its words are for people; standard output is for the answer.
  const options = { cwd, stdio: /** @type {import('node:child_process').StdioOptions} */ (['ignore', 2, 2]) };
  if (npm?.endsWith('.js') && node) return runToEnd(node, [npm, ...args], options);
  return runToEnd('npm', args, { ...options, shell: process.platform === 'win32' });
}
