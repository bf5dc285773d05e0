import { join } from 'node:path';
import { expect } from '../fixtures/test.ts';
import type { App } from '../pages/app.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What the guide shows. */
const IMAGES = join(ROOT, 'docs/images');
/** Everything, to be looked at. */
const LOOKS = join(ROOT, '.cache/shots');

/** Width and height in CSS pixels; at 200 % zoom a window of 1280 has 640 of them. */
const SIZES = {
  '1280': { width: 1280, height: 800 },
  '1920': { width: 1920, height: 1080 },
  'zoom-200': { width: 640, height: 400 },
} as const;
type Size = keyof typeof SIZES;

async function settled(app: App): Promise<void> {
  await app.page.evaluate(async () => {
    await document.fonts.ready;
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.all(changes.map(({ finished }) => finished.catch(() => undefined)));
  });
}

/** Takes pictures of a screen in both themes; `guide`: also for the guide. `wide` also at the other sizes. */
export async function shoot(
  app: App,
  name: string,
  { guide = false, wide = false }: { readonly guide?: boolean; readonly wide?: boolean } = {},
): Promise<void> {
  const sizes: readonly Size[] = wide ? ['1920', 'zoom-200', '1280'] : ['1280'];
  for (const size of sizes) {
    await app.page.setViewportSize(SIZES[size]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await app.page.emulateMedia({ colorScheme });
      await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      await settled(app);
      const picture = { caret: 'initial' } as const;
      await app.page.screenshot({ path: join(LOOKS, size, `${name}-${colorScheme}.png`), ...picture });
      if (guide && size === '1280')
        await app.page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`), ...picture });
    }
  }
}
