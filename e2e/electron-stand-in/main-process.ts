import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { machine, seen } from './machine.ts';
import { obey } from './orders.ts';
import type { Order } from './seen.ts';
import { CHROMIUM_ARGS } from '../../bin/setup/chromium.mjs';

/** The desktop's process: Chromium, the stand-in, and the bundled main on it. Tells its debugging port, and does what it is told over IPC. */
const root = join(import.meta.dirname, '../..');
const stand = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: stand, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});

const executablePath = process.env['ESPALIER_CHROMIUM'];
delete process.env['ESPALIER_CHROMIUM'];
const profile = mkdtempSync(join(tmpdir(), 'espalier-stand-in-'));
const context = await chromium.launchPersistentContext(profile, {
  ...(executablePath === undefined ? {} : { executablePath }),
  headless: true,
  viewport: { width: 1440, height: 900 },
  locale: 'en-US',
  args: [...CHROMIUM_ARGS, '--remote-debugging-port=0'],
});
machine.context = context;
machine.root = root;
machine.exit = (code) => {
  process.send?.({ last: seen() });
  void context
    .close()
    .catch(() => undefined)
    .then(() => {
      rmSync(profile, { recursive: true, force: true });
      process.exit(code);
    });
};
process.on('message', ({ id, order }: { id: number; order: Order }) => {
  try {
    process.send?.({ id, seen: obey(order) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
process.send?.({ profile });
createRequire(import.meta.url)(join(root, 'dist/electron/main.cjs'));
