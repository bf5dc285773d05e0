import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { createRouter } from '../../core/host/api/router.ts';
import { startHttpServer } from '../../core/host/serve/http-server.ts';
import { systemClock } from '../../core/kit/clock.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { systemRandom } from '../../core/kit/random.ts';
import type { CoreLab } from '../../core/testing/core-lab.ts';
import { App } from '../pages/app.ts';
import { withPalette } from '../shots/palette-png.ts';

const ROOT = join(import.meta.dirname, '../..');

/**
 * With ESPALIER_SHOTS=1 a picture of the conversation's tree, as the web app of this very core shows it, into docs/images. ESPALIER_CHROMIUM names the
 * browser; without it Playwright's own is used.
 */
export async function picture({ core }: CoreLab, title: string, name: string): Promise<void> {
  if (process.env['ESPALIER_SHOTS'] !== '1') return;
  const server = await startHttpServer({
    port: 0,
    host: '127.0.0.1',
    router: createRouter(core.service, core.hub, silentLogger),
    rendererFolder: join(ROOT, 'dist', 'renderer'),
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  if (!server.ok) throw new Error(server.error.message);
  const executablePath = process.env['ESPALIER_CHROMIUM'];
  const browser = await chromium.launch({
    args: ['--no-sandbox', '--disable-gpu'],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 600 }, colorScheme: 'light' });
    const app = new App(page);
    await app.open(server.value.url);
    await app.sidebar.open(title);
    await app.tree.row('Nested').waitFor({ state: 'visible' });
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null))));
    writeFileSync(join(ROOT, 'docs', 'images', `${name}.png`), withPalette(await page.screenshot()));
  } finally {
    await browser.close();
    await server.value.close();
  }
}
