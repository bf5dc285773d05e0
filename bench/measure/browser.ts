import { chromium, type Browser } from '@playwright/test';
import { CHROMIUM_ARGS } from '../../bin/setup/chromium.mjs';

/** A real Chromium, set up as in the end-to-end tests. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env['ESPALIER_CHROMIUM'];
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...CHROMIUM_ARGS, '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  });
}
