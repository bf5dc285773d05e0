/** `npm run bench [name …]`: the benches of `bench/` (all, or those named), one after the other, on a fresh build. */
import { existsSync, readdirSync } from 'node:fs';
import { isBuilt } from './setup/build-stamp.mjs';
import { runToEnd } from './setup/child.mjs';
import { findChromium } from './setup/chromium.mjs';
import { environmentWith, nodeForTests, tooOldMessage } from './setup/node.mjs';
import { inRoot } from './setup/root.mjs';

const node = nodeForTests();
if (node) process.exitCode = await bench(node, process.argv.slice(2));
else {
  console.error(tooOldMessage());
  process.exitCode = 3;
}

/**
 * @param {string} node
 * @param {string[]} wanted
 */
async function bench(node, wanted) {
  const chromium = findChromium();
  const env = environmentWith(node, chromium ? { ESPALIER_CHROMIUM: chromium } : {});
  if (!isBuilt() && (await runToEnd(node, [inRoot('bin', 'build.mjs')], { env })) !== 0) return 1;
  const all = readdirSync(inRoot('bench')).filter((name) => existsSync(inRoot('bench', name, 'main.ts')));
  const unknown = wanted.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    console.error(`no such bench: ${unknown.join(', ')}; there are: ${all.join(', ')}`);
    return 2;
  }
  // One that breaks does not keep the others from being measured.
  const broken = [];
  for (const name of wanted.length > 0 ? wanted : all) {
    console.log(`\n── ${name}`);
    const status = await runToEnd(node, ['--expose-gc', inRoot('bench', name, 'main.ts')], { env });
    if (status !== 0) broken.push(name);
  }
  if (broken.length > 0) console.error(`\nbroken: ${broken.join(', ')}`);
  return broken.length === 0 ? 0 : 1;
}
