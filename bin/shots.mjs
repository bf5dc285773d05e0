/**
 * `npm run shots [playwright arguments]`: pictures of every screen in both themes. Those of the guide go to `docs/images`; all of them, at
 * 1280 and 1920 wide and at 200 % zoom, to `.cache/shots`, to be looked at: some in every size, with ESPALIER_SHOTS_ALL=1 all of them.
 */
import { rmSync } from 'node:fs';
import { isBuilt } from './setup/build-stamp.mjs';
import { runToEnd } from './setup/child.mjs';
import { environmentWith, nodeForTests, tooOldMessage } from './setup/node.mjs';
import { inRoot } from './setup/root.mjs';
import { runPlaywright } from './setup/suites.mjs';

const node = nodeForTests();
if (!node) {
  console.error(tooOldMessage());
  process.exitCode = 3;
} else if (!isBuilt() && (await runToEnd(node, [inRoot('bin', 'build.mjs')], { env: environmentWith(node) })) !== 0) {
  process.exitCode = 1;
} else {
  const args = process.argv.slice(2);
  if (args.length === 0) rmSync(inRoot('.cache', 'shots'), { recursive: true, force: true });
  process.env['ESPALIER_SHOTS'] = '1';
  const { failed } = await runPlaywright(node, ['e2e/shots', ...args]);
  process.exitCode = failed === 0 ? 0 : 1;
}
