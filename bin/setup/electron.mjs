import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { runToEnd } from './child.mjs';
import { inRoot } from './root.mjs';

/** How long the download host may take to accept a connection: offline machines must not wait for a timeout of minutes. */
const CONNECT_MS = 10_000;
const RELEASES = 'https://github.com/electron/electron/releases/download/';
/** Holds the version whose fetch failed, so that not every start tries again. A new install removes it. */
const FAILED = inRoot('node_modules', '.espalier-no-electron');

/**
 * Electron's binary, fetched once if it is not there.
 * @param {string} node the Node that runs Electron's own installer
 * @returns {Promise<{ binary: string } | { reason: string }>}
 */
export async function findElectron(node) {
  const why = whyNoWindow();
  return why ? { reason: why } : obtainElectron(node);
}

/**
 * Electron's binary, to open a window or to pack it, fetched once if it is not there.
 * @param {string} node the Node that runs Electron's own installer
 * @returns {Promise<{ binary: string } | { reason: string }>}
 */
export async function obtainElectron(node) {
  const binary = installedElectron();
  if (binary) return { binary };
  const version = JSON.parse(readFileSync(inRoot('node_modules', 'electron', 'package.json'), 'utf8')).version;
  if (existsSync(FAILED) && readFileSync(FAILED, 'utf8') === version) {
    return { reason: 'Electron could not be fetched before (to try again: npx install-electron)' };
  }
  const fetched = await fetchElectron(node, version);
  if (fetched) return { binary: fetched };
  writeFileSync(FAILED, version);
  return { reason: 'Electron could not be fetched' };
}

/** Why no desktop window can or should be opened here; undefined if one can. */
function whyNoWindow() {
  if (process.env['ESPALIER_NO_ELECTRON'] === '1') return 'ESPALIER_NO_ELECTRON=1';
  if (!hasDisplay()) return 'there is no display';
  if (process.platform === 'linux' && process.getuid?.() === 0) return "Electron's sandbox does not run as root";
  return undefined;
}

/**
 * Electron's binary for tests, if it is here and can show a window; nothing is fetched for them.
 * @returns {{ binary: string } | { reason: string }}
 */
export function electronForTests() {
  const why = whyNoWindow();
  const binary = installedElectron();
  return why ? { reason: why } : binary ? { binary } : { reason: "Electron's binary is not here" };
}

/** Whether something can be shown on this machine. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/** The path that Electron's installer recorded, if the binary is there. */
function installedElectron() {
  const record = inRoot('node_modules', 'electron', 'path.txt');
  if (!existsSync(record)) return undefined;
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? inRoot('node_modules', 'electron', 'dist');
  const binary = `${folder}/${readFileSync(record, 'utf8').trim()}`;
  return existsSync(binary) ? binary : undefined;
}

/**
 * @param {string} node
 * @param {string} version
 */
async function fetchElectron(node, version) {
  const mirror = process.env['ELECTRON_MIRROR'] ?? process.env['npm_config_electron_mirror'] ?? RELEASES;
  if (process.env['ELECTRON_SKIP_BINARY_DOWNLOAD'] || !(await accepts(mirror))) return undefined;
  console.error(`Fetching Electron ${version} (about 120 MB, once)…`);
  // Its stack traces say no more than our one line.
  await runToEnd(node, [inRoot('node_modules', 'electron', 'install.js')], { stdio: ['ignore', 'inherit', 'ignore'] });
  return installedElectron();
}

/**
 * Whether the host (or the proxy in front of it) accepts a connection in time.
 * @param {string} url
 * @returns {Promise<boolean>}
 */
function accepts(url) {
  const proxy = process.env['ELECTRON_GET_USE_PROXY'] && (process.env['HTTPS_PROXY'] ?? process.env['https_proxy']);
  const { hostname, port, protocol } = new URL(proxy || url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) || (protocol === 'http:' ? 80 : 443) });
    /** @param {boolean} accepted */
    const end = (accepted) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(accepted);
    };
    // Its own timer: the socket's does not bound the name look-up.
    const timer = setTimeout(() => end(false), CONNECT_MS);
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
