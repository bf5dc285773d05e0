import { rmSync } from 'node:fs';
import { findChromium } from './chromium.mjs';
import { runToEnd } from './child.mjs';
import { countPlaywright, countVitest } from './count.mjs';
import { electronForTests } from './electron.mjs';
import { environmentWith } from './node.mjs';
import { inRoot, ROOT } from './root.mjs';

/**
 * Unit and integration tests.
 * @param {string} node
 * @param {string[]} [args] passed to vitest
 */
export async function runVitest(node, args = []) {
  const report = freshReport('vitest.json');
  const status = await runToEnd(
    node,
    [
      inRoot('node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env: environmentWith(node) },
  );
  return countVitest(report, status);
}

/**
 * End-to-end tests in a real Chromium.
 * @param {string} node
 * @param {string[]} [args] passed to Playwright
 */
export async function runPlaywright(node, args = []) {
  const chromium = findChromium();
  if (!chromium) return { passed: 0, failed: 1 };
  const report = freshReport('playwright.json');
  const electron = electronForTests();
  if ('reason' in electron) console.log(`e2e: Electron itself is not driven (${electron.reason}); its stand-in is`);
  const env = environmentWith(node, {
    ...('binary' in electron ? { ESPALIER_ELECTRON: electron.binary } : {}),
    ESPALIER_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  });
  const status = await runToEnd(node, [inRoot('node_modules/@playwright/test/cli.js'), 'test', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  return countPlaywright(report, status);
}

/**
 * A path for a report, with no older report there.
 * @param {string} name
 */
function freshReport(name) {
  const report = inRoot('.cache', 'reports', name);
  rmSync(report, { force: true });
  return report;
}
