/**
 * `npm run package [-- electron-builder's arguments]`: builds, and makes the packages of this system; with `--dir` the unpacked app alone. Signing
 * and publishing are told by the environment (docs/desktop.md). Where Electron's binary cannot be had, `--dir` packs around a stub.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publishOptions } from './package/publish.mjs';
import { writeStubElectron } from './package/stub-electron.mjs';
import { isBuilt } from './setup/build-stamp.mjs';
import { runToEnd } from './setup/child.mjs';
import { obtainElectron } from './setup/electron.mjs';
import { environmentWith, nodeForTests, tooOldMessage } from './setup/node.mjs';
import { inRoot, ROOT } from './setup/root.mjs';

/** For another system than this one electron-builder fetches Electron itself, and it may be told where one is. */
const ELSEWHERE = /^(?:-c\.electronDist=|--(?:mac|win|windows|x64|ia32|arm64|armv7l|universal)\b|-[mw]$)/;

const args = process.argv.slice(2);
const node = nodeForTests();
if (!node) {
  console.error(tooOldMessage());
  process.exitCode = 3;
} else if (!isBuilt() && (await runToEnd(node, [inRoot('bin', 'build.mjs')], { env: environmentWith(node) })) !== 0) {
  process.exitCode = 1;
} else process.exitCode = await makePackage(node);

/** @param {string} node */
async function makePackage(node) {
  if (args.some((word) => ELSEWHERE.test(word))) return build(node);
  const electron = await obtainElectron(node);
  if ('binary' in electron) return build(node, dirname(electron.binary));
  if (!args.includes('--dir') || process.platform !== 'linux') {
    console.error(`package: ${electron.reason}; without it only the unpacked app for Linux can be made (--dir)`);
    return 3;
  }
  console.error(`package: ${electron.reason}: packing around a stub, which does not start`);
  const stub = mkdtempSync(join(tmpdir(), 'espalier-stub-electron-'));
  try {
    writeStubElectron(stub);
    return await build(node, stub);
  } finally {
    rmSync(stub, { recursive: true, force: true });
  }
}

/**
 * @param {string} node
 * @param {string} [electron] a folder with Electron's binary
 */
function build(node, electron) {
  const options = [...(electron ? [`-c.electronDist=${electron}`] : []), ...publishOptions(process.env)];
  return runToEnd(node, [inRoot('node_modules', 'electron-builder', 'cli.js'), ...args, ...options], {
    cwd: ROOT,
    env: environmentWith(node),
  });
}
