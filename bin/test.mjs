/**
 * `npm test`: everything that CI runs — install if needed, build, check, unit, integration and end-to-end tests.
 * Begins on the host's Node before anything is installed: built-ins only. The last line is `N passed, N failed`.
 */
import { isBuilt } from './setup/build-stamp.mjs';
import { runToEnd } from './setup/child.mjs';
import { ensureInstalled } from './setup/install.mjs';
import { environmentWith, nodeForTests, tooOldMessage } from './setup/node.mjs';
import { inRoot, ROOT } from './setup/root.mjs';

const FAILED = { passed: 0, failed: 1 };
const started = performance.now();
const counts = await everything();
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.exitCode = failed === 0 ? 0 : 1;
console.log(`Took ${Math.round((performance.now() - started) / 1000)} s.`);
console.log(`${passed} passed, ${failed} failed`);

/** A build that fails ends it: the tests run what was built. Everything else runs to its end, so that one run shows all. */
async function everything() {
  if (!(await ensureInstalled())) return [FAILED];
  const node = nodeForTests();
  if (!node) {
    console.error(tooOldMessage());
    return [FAILED];
  }
  if (!isBuilt() && !(await script(node, 'build.mjs'))) return [FAILED];
  const check = (await script(node, 'check.mjs')) ? [] : [FAILED];
  // The real agents that some tests run: here, so that no test has to wait for a download. What fails says so again in those tests.
  await script(node, 'agents-install.mjs', ['--only', 'tests']);
  const { runPlaywright, runVitest } = await import('./setup/suites.mjs');
  return [...check, await runVitest(node), await runPlaywright(node)];
}

/**
 * @param {string} node
 * @param {string} name
 * @param {string[]} [args]
 */
async function script(node, name, args = []) {
  console.log(`\n── ${name.replace('.mjs', '')}`);
  const status = await runToEnd(node, [inRoot('bin', name), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environmentWith(node),
  });
  return status === 0;
}
