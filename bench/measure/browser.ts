import { chromium, type Browser } from '@playwright/test';

/** A real Chromium, set up as in the end-to-end tests. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env['ESPALIER_CHROMIUM'];
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--enable-precise-memory-info',
      '--js-flags=--expose-gc',
    ],
  });
}
