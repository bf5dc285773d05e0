import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { runToEnd } from './child.mjs';
import { inRoot, ROOT } from './root.mjs';

const STAMP = inRoot('node_modules', '.espalier-install');
const LOCK = inRoot('package-lock.json');
/** npm's own record of what it put into `node_modules`. */
const INSTALLED = inRoot('node_modules', '.package-lock.json');

/**
 * Installs the dependencies exactly as locked, if that has not been done for this lock file.
 * @returns {Promise<boolean>} whether they are in place
 */
export async function ensureInstalled() {
  const wanted = `${process.platform} ${process.arch} ${createHash('sha256').update(readFileSync(LOCK)).digest('hex')}\n`;
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return true;
  if (!isInstalledAsLocked()) {
    console.error('Installing dependencies (npm ci)…');
    if ((await npmCi()) !== 0) {
      console.error('npm ci failed; its message is above.');
      return false;
    }
  }
  writeFileSync(STAMP, wanted);
  return true;
}

/** Someone may have run `npm ci` by hand: then there is nothing to do. */
function isInstalledAsLocked() {
  if (!existsSync(INSTALLED)) return false;
  const installed = packagesOf(INSTALLED);
  return Object.entries(packagesOf(LOCK)).every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && !installed[path]),
  );
}

/**
 * @param {string} lock
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(lock) {
  return JSON.parse(readFileSync(lock, 'utf8')).packages ?? {};
}

/** npm is run by the Node that runs npm now: `npm ci` removes the one in `node_modules`. */
function npmCi() {
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm?.endsWith('.js') && node) return runToEnd(node, [npm, ...args], { cwd: ROOT });
  return runToEnd('npm', args, { cwd: ROOT, shell: process.platform === 'win32' });
}
