/** `npm run e2e:agents [vitest arguments]`: the real agent programs of `e2e/agents` on the scripted model, on a fresh build. */
import { isBuilt } from './setup/build-stamp.mjs';
import { runToEnd } from './setup/child.mjs';
import { environmentWith, nodeForTests, tooOldMessage } from './setup/node.mjs';
import { inRoot } from './setup/root.mjs';
import { runVitest } from './setup/suites.mjs';

const node = nodeForTests();
if (!node) {
  console.error(tooOldMessage());
  process.exitCode = 3;
} else if (!isBuilt() && (await runToEnd(node, [inRoot('bin', 'build.mjs')], { env: environmentWith(node) })) !== 0) {
  process.exitCode = 1;
} else {
  const config = ['--config', inRoot('vitest.agents.config.ts')];
  const { passed, failed } = await runVitest(node, [...config, ...process.argv.slice(2)]);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
