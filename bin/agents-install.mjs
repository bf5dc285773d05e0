/**
 * `npm run agents:install [-- --only tests|peers]`: the real agent programs that tests and benches run, pinned in `e2e/agents` and
 * `bench/peers/programs`, into a cache outside the clone
 * (`$ESPALIER_AGENTS_CACHE`). Prints the folder. Built-ins only.
 */
import { ensureAgents } from './setup/agents.mjs';

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : 'all';
if (only === 'tests' || only === 'all' || only === 'peers') {
  const folder = await ensureAgents(only);
  if (folder === undefined) {
    console.error('The agent programs could not be installed; the message of npm is above.');
    process.exitCode = 1;
  } else console.log(folder);
} else {
  console.error('usage: npm run agents:install [-- --only tests|all|peers]');
  process.exitCode = 2;
}
