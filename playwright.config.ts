import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS } from './bin/setup/chromium.mjs';

/** The browser that `npm run e2e` found; without one Playwright's own is used, if it is installed. */
const executablePath = process.env['ESPALIER_CHROMIUM'];

/** Drives the real app in a real Chromium, over `espalier serve`. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // The pictures of docs/images are made on demand: npm run shots
  testIgnore: [
    ...(process.env['ESPALIER_SHOTS'] === '1' ? [] : ['shots/**']),
    // Electron itself, where its binary is; `npm run e2e` looks, and says in a line when it is not.
    ...(process.env['ESPALIER_ELECTRON'] === undefined ? ['electron/**'] : []),
  ],
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Far beyond what any test takes: only a hang reaches them, also on a machine that does much else.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  reporter: [['list'], ['json'], ['./e2e/controls/controls-reporter.ts']],
  use: {
    browserName: 'chromium',
    headless: true,
    // Traces cost much of a test's processor time: on demand, for the test that one looks at.
    trace: process.env['ESPALIER_TRACE'] === '1' ? 'retain-on-failure' : 'off',
    // Nothing moves for ever while the tests wait; those of motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    screenshot: 'only-on-failure',
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath,
      args: CHROMIUM_ARGS,
    },
  },
});
