import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '../fixtures/test.ts';
import type { App } from '../pages/app.ts';
import { withPalette } from './palette-png.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What the guide shows. */
const IMAGES = join(ROOT, 'docs/images');
/** Everything, to be looked at. */
const LOOKS = join(ROOT, '.cache/shots');

/** Width and height in CSS pixels; at 200 % zoom a window of 1280 has 640 of them. */
const SIZES = {
  '1280': { width: 1280, height: 800 },
  '1920': { width: 1920, height: 1080 },
  '640': { width: 640, height: 900 },
  'zoom-200': { width: 640, height: 400 },
} as const;
type Size = keyof typeof SIZES;
const ALL = Object.keys(SIZES) as readonly Size[];
const WIDE: readonly Size[] = ['1280', '1920', 'zoom-200'];

async function settled(app: App): Promise<void> {
  await app.page.evaluate(async () => {
    await document.fonts.ready;
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.all(changes.map(({ finished }) => finished.catch(() => undefined)));
  });
}

/** A picture of the window as it is, to be looked at. */
export async function look(app: App, size: Size, name: string, colorScheme: 'light' | 'dark'): Promise<Buffer> {
  await app.page.emulateMedia({ colorScheme });
  await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
  await settled(app);
  return app.page.screenshot({ path: join(LOOKS, size, `${name}-${colorScheme}.png`), caret: 'initial' });
}

/** How the pictures of a screen are taken. */
interface Take {
  /** For the guide too, at 1280: in both themes, or in the one that it shows. */
  readonly guide?: 'both' | 'light';
  /** Also at the other sizes; with ESPALIER_SHOTS_ALL=1 every screen is. */
  readonly wide?: boolean;
}

const EVERYTHING = process.env['ESPALIER_SHOTS_ALL'] === '1';

/** Takes pictures of a screen in both themes. */
export async function shoot(app: App, name: string, { guide, wide = false }: Take = {}): Promise<void> {
  const sizes = EVERYTHING ? ALL : wide ? WIDE : (['1280'] as const);
  for (const size of sizes) {
    await app.page.setViewportSize(SIZES[size]);
    for (const colorScheme of ['light', 'dark'] as const) {
      const picture = await look(app, size, name, colorScheme);
      const isShown = guide === 'both' || guide === colorScheme;
      if (isShown && size === '1280') writeFileSync(join(IMAGES, `${name}-${colorScheme}.png`), withPalette(picture));
    }
  }
  await app.page.setViewportSize(SIZES['1280']);
}
