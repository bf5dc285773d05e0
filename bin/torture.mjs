/**
 * `npm run torture -- [--kills N] [--seed S] [--jobs J] [--chapter C]`: kills cores and workers of busy batches at random moments and compares what was told
 * and done with what is stored (docs/reliability.md). Status 1 when a figure is not 0.
 */
import { isBuilt } from './setup/build-stamp.mjs';
import { runToEnd } from './setup/child.mjs';
import { environmentWith, nodeForTests, tooOldMessage } from './setup/node.mjs';
import { inRoot } from './setup/root.mjs';

const node = nodeForTests();
if (!node) {
  console.error(tooOldMessage());
  process.exitCode = 3;
} else if (!isBuilt() && (await runToEnd(node, [inRoot('bin', 'build.mjs')], { env: environmentWith(node) })) !== 0) {
  process.exitCode = 1;
} else {
  const program = inRoot('core', 'testing', 'torture', 'main.ts');
  process.exitCode = await runToEnd(node, [program, ...process.argv.slice(2)], { env: environmentWith(node) });
}
