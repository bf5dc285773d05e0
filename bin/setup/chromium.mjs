import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const WELL_KNOWN = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** How it is started by tests and benches: without a sandbox, since they may run as root, and without anything of its own on the network. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const HOW_TO_INSTALL =
  'The end-to-end tests need a Chromium and none was found. Install one (Debian: apt-get install chromium; ' +
  'anywhere: npx playwright install chromium) or name it in ESPALIER_CHROMIUM.';

/**
 * A Chromium that starts: the one named in ESPALIER_CHROMIUM, on PATH, of Playwright, at a usual place; on Debian as
 * root it is installed. Without one it says what to install.
 * @returns {string | undefined}
 */
export function findChromium() {
  const named = process.env['ESPALIER_CHROMIUM'];
  if (named) return starts(named) ? named : explain(`ESPALIER_CHROMIUM=${named} does not start.`);
  return firstThatStarts() ?? (installFromApt() ? firstThatStarts() : undefined) ?? explain(HOW_TO_INSTALL);
}

/** @param {string} message */
function explain(message) {
  console.error(message);
  return undefined;
}

function firstThatStarts() {
  const onPath = NAMES.flatMap((name) =>
    (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
  );
  return [...onPath, playwrightsOwn(), ...WELL_KNOWN].filter((path) => existsSync(path)).find(starts);
}

function playwrightsOwn() {
  return createRequire(import.meta.url)('@playwright/test').chromium.executablePath();
}

/**
 * Ubuntu's `chromium-browser` may be a stub that only asks for a snap: being there is not enough.
 * @param {string} path
 */
function starts(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0;
}

function installFromApt() {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return false;
  console.error('No Chromium found; installing it with apt-get…');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return [['update'], ['install', '-y', 'chromium']].every(
    (args) => spawnSync('apt-get', args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0,
  );
}
