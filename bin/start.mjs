/**
 * `npm start`: installs and builds if needed, then opens the app — in its own window with Electron, else in the browser.
 * Begins on the host's Node before anything is installed: built-ins only.
 */
import { isBuilt } from './setup/build-stamp.mjs';
import { runToEnd } from './setup/child.mjs';
import { findElectron, hasDisplay } from './setup/electron.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { environmentWith, nodeForApp, tooOldMessage } from './setup/node.mjs';
import { inRoot, ROOT } from './setup/root.mjs';

/** A window that ends with an error sooner than this never opened. */
const NEVER_OPENED_MS = 5_000;

process.exitCode = await start(process.argv.slice(2));

/** @param {string[]} args */
async function start(args) {
  if (!(await ensureInstalled())) return 1;
  const node = nodeForApp();
  if (!node) return fail(tooOldMessage());
  if (!isBuilt()) {
    console.error('Building…');
    const status = await runToEnd(node, [inRoot('bin', 'build.mjs')], { env: environmentWith(node) });
    if (status !== 0) return status;
  }
  const electron = await findElectron(node);
  if ('reason' in electron) return openInBrowser(node, args, electron.reason);
  const started = performance.now();
  const status = await runToEnd(electron.binary, [ROOT, ...args], { ownGroup: true, env: environmentWith(node) });
  const neverOpened = status !== 0 && status < 128 + 15 && performance.now() - started < NEVER_OPENED_MS;
  return neverOpened ? openInBrowser(node, args, `Electron ended at once with status ${status}`) : status;
}

/**
 * @param {string} node
 * @param {string[]} args
 * @param {string} reason
 */
function openInBrowser(node, args, reason) {
  const shown = hasDisplay();
  console.error(
    `Opening ${shown ? 'in the browser' : 'without a window; visit the address below'} (${reason}). Ctrl-C ends it.`,
  );
  const serve = [inRoot('bin', 'espalier.mjs'), 'serve', ...(shown ? ['--open'] : []), ...args];
  return runToEnd(node, serve, { ownGroup: true, env: environmentWith(node) });
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  return 1;
}
