/**
 * `npm run e2e:agents [-- <part of a file's name>] [-t <part of a test's name>]`: the real agent programs of `e2e/agents` on the scripted model, on a
 * fresh build. Ends with a table of what was seen of each.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBuilt } from './setup/build-stamp.mjs';
import { agentsTable } from './setup/agents-table.mjs';
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
  const begun = performance.now();
  const seen = inRoot('.cache', 'reports', `agents-${process.pid}.jsonl`);
  mkdirSync(dirname(seen), { recursive: true });
  process.env.ESPALIER_AGENTS_SEEN = seen;
  const config = ['--config', inRoot('vitest.agents.config.ts'), '--reporter=verbose'];
  const { passed, failed } = await runVitest(node, [...config, ...process.argv.slice(2)]);
  console.log(`\n${agentsTable(seen)}\n`);
  rmSync(seen, { force: true });
  console.log(`${passed} passed, ${failed} failed in ${((performance.now() - begun) / 60_000).toFixed(1)} min`);
  process.exitCode = failed === 0 ? 0 : 1;
}
