import { join } from 'node:path';
import { expect, test } from '../fixtures/test.ts';
import type { App } from '../pages/app.ts';

const IMAGES = join(import.meta.dirname, '../../docs/images');
const LONG = { timeout: 90_000 };

/** Takes one picture in each theme. */
async function shoot(app: App, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await app.page.evaluate(async () => {
      const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      await Promise.all(changes.map(({ finished }) => finished));
    });
    await app.page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`), caret: 'initial' });
  }
}

test.describe('pictures of the Demo', () => {
  test.use({ attached: false, withModel: false });
  test.setTimeout(300_000);

  test('docs/images', async ({ app }) => {
    await expect(app.onboarding.root).toContainText('No model and no agent found');
    await shoot(app, 'first-start');

    await app.onboarding.startDemo();
    await app.tree.open('Migration guide');
    await app.inspector.steerBox.fill('Keep it to one page, they read it on a phone');
    await app.page.keyboard.press('Enter');
    await app.inspector.steerBox.fill('And say who decides about step three');
    await expect(app.tree.set(2)).toContainText('of 3 ended', LONG);
    await expect(app.tree.rowThat('Remove the legacy currency code', 'Asks permission')).toBeVisible(LONG);
    await app.tree.open('Money module');
    await expect(app.inspector.panel).toContainText('allocate', LONG);
    await shoot(app, 'running');

    await app.tree.open('Migration guide');
    await expect(app.inspector.panel).toContainText('You asked:', LONG);
    await shoot(app, 'steer');

    await app.inbox.open();
    await expect(app.inbox.current).toContainText('rm src/legacy/currency.js');
    await shoot(app, 'inbox');
    await app.page.keyboard.press('Escape');

    await app.tree.open('Remove the legacy currency code');
    await expect(app.inspector.ask).toBeVisible();
    await shoot(app, 'permission');
    await app.inspector.ask.getByRole('button', { name: 'Allow once' }).click();

    await expect(app.tree.rowThat('Supplier feed import', 'Failed')).toBeVisible(LONG);
    await expect(app.tree.rowThat('Callers of formatPrice', 'Caveat')).toBeVisible(LONG);
    await app.tree.open('Callers of formatPrice');
    await app.inspector.show('Result');
    await shoot(app, 'failure-and-caveat');
    await app.inspector.show('Transcript');
    await app.tree.stop('Design note: tax rounding');
    await app.tree.open('Tests for stock reservation');
    await expect(app.tree.rowThat('Migration guide', 'Completed')).toBeVisible(LONG);
    await shoot(app, 'ended');
  });
});

const BATCH = {
  version: 1,
  title: 'Move prices to whole cents',
  tasks: [
    {
      id: 'money',
      goal: 'Add src/money.js: amounts as whole cents, rounded once',
      label: 'Money module',
      isolation: 'worktree',
    },
    {
      id: 'cart',
      goal: 'Rewrite cartTotal so that it adds whole cents and rounds at the end',
      label: 'Cart totals in cents',
      context: 'The web shop calls it: keep its name and what it returns.',
      isolation: 'worktree',
      depends_on: ['money'],
      limits: { max_turns: 60, max_cost_usd: 2 },
    },
    { goal: 'Find every amount that is rounded twice', label: 'Audit rounding', agent: 'explorr' },
    { goal: 'Write the migration guide for the web shop', label: 'Migration guide', depends_on: ['money', 'cart'] },
    { goal: 'npm test', label: 'Whole test suite', agent: 'command', depends_on: ['cart'] },
  ],
};

test('docs/images/batch', async ({ app, place }) => {
  await app.drop({ paths: [place.fileToDrop('whole-cents.json', JSON.stringify(BATCH))] });
  await expect(app.batch.root).toContainText('Fix task 3 first');
  await app.batch.goal(2).click();
  await shoot(app, 'batch');
});
