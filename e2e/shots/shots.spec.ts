import { call, held, script, talk } from '../fixtures/scripts.ts';
import { expect, test } from '../fixtures/test.ts';
import type { App } from '../pages/app.ts';
import { look, shoot } from './shoot.ts';

const LONG = { timeout: 120_000 };
const SECTIONS = [
  'Providers',
  'Agents',
  'Permissions',
  'Limits',
  'Notifications',
  'Storage',
  'Appearance',
  'Shortcuts',
  'About',
] as const;

/** The screen in high contrast. */
async function contrasted(app: App, name: string): Promise<void> {
  await app.page.emulateMedia({ contrast: 'more' });
  await expect(app.page.locator('html')).toHaveAttribute('data-contrast', 'high');
  await shoot(app, `${name}-contrast`, { guide: 'light' });
  await app.page.emulateMedia({ contrast: 'no-preference' });
  await expect(app.page.locator('html')).toHaveAttribute('data-contrast', 'normal');
}

test.use({ viewport: { width: 1280, height: 800 } });
test.setTimeout(400_000);

test.describe('pictures of the Demo', () => {
  test.use({ attached: false, withModel: false });

  test('first start, work in all views, asks, failure, and the end', async ({ app }) => {
    await expect(app.onboarding.root).toContainText('No model and no agent found');
    await shoot(app, 'first-start', { guide: 'both', wide: true });
    await app.onboarding.startDemo();
    await app.tree.open('Migration guide');
    await app.inspector.steerBox.fill('Keep it to one page, they read it on a phone');
    await app.page.keyboard.press('Enter');
    await app.inspector.steerBox.fill('And say who decides about step three');
    await expect(app.tree.set(2)).toContainText('of 3 ended', LONG);
    await expect(app.tree.rowThat('Remove the legacy currency code', 'Asks permission')).toBeVisible(LONG);
    await app.tree.open('Money module');
    await expect(app.inspector.panel).toContainText('allocate', LONG);
    await shoot(app, 'tree', { guide: 'both', wide: true });
    await contrasted(app, 'tree');
    await app.tree.open('Migration guide');
    await expect(app.inspector.steer('Keep it to one page')).toContainText('delivered', LONG);
    await shoot(app, 'steer', { guide: 'light' });
    await app.tree.open('Money module');
    for (const view of ['List', 'Board', 'Timeline'] as const) {
      await app.views.show(view);
      await expect(app.views[view === 'Board' ? 'card' : 'row']('Money module')).toBeVisible();
      await shoot(app, view.toLowerCase(), { guide: view === 'Board' ? 'light' : 'both', wide: true });
    }
    await app.views.show('Tree');

    await app.inbox.open();
    await expect(app.inbox.current).toContainText('rm src/legacy/currency.js');
    await shoot(app, 'inbox', { guide: 'both', wide: true });
    await app.page.keyboard.press('Escape');
    await app.tree.open('Remove the legacy currency code');
    await expect(app.inspector.ask).toBeVisible();
    await shoot(app, 'permission');
    await app.inspector.ask.getByRole('button', { name: 'Allow once' }).click();

    await expect(app.tree.rowThat('Supplier feed import', 'Failed')).toBeVisible(LONG);
    await expect(app.tree.rowThat('Callers of formatPrice', 'Caveat')).toBeVisible(LONG);
    await app.tree.open('Callers of formatPrice');
    await app.inspector.show('Result');
    await shoot(app, 'result', { guide: 'both' });
    await app.inspector.show('Transcript');
    await expect(app.tree.rowThat('Migration guide', 'Completed')).toBeVisible(LONG);
    await app.tree.open('Money module');
    await app.inspector.show('Changes');
    await expect(app.inspector.panel).toContainText('allocate');
    await shoot(app, 'changes', { guide: 'light' });
    await app.inspector.panel.getByRole('radio', { name: 'Side by side' }).click();
    await shoot(app, 'changes-split', { guide: 'light', wide: true });
    await app.inspector.panel.getByRole('radio', { name: 'Inline' }).click();
    await app.inspector.show('Prompt');
    await expect(app.inspector.panel).toContainText('System prompt');
    await shoot(app, 'prompt', { guide: 'light' });
    await app.inspector.show('Process');
    await expect(app.inspector.panel).toContainText('Attempts');
    await shoot(app, 'process-ended');
    await app.tree.open('Supplier feed import');
    await app.inspector.show('Result');
    await expect(app.inspector.panel).toContainText('too long');
    await shoot(app, 'failed', { guide: 'light' });
    await app.inspector.root
      .getByRole('button', { name: /^Retry/ })
      .first()
      .hover();
    await app.inspector.choose('More actions', 'Retry with changes…');
    await expect(app.page.getByRole('dialog')).toBeVisible();
    await shoot(app, 'retry');
    await app.page.keyboard.press('Escape');
    await app.tree.set(1).click();
    await shoot(app, 'set');
    await app.tree.open('Money module');
    await app.inspector.show('Transcript');
    await app.views.replayButton.click();
    await app.views.scrubber.fill('500');
    await shoot(app, 'replay', { guide: 'light' });
    await app.views.replayButton.click();
    await app.views.filterText.fill('nothing is called so');
    await shoot(app, 'no-match');
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

test('home, batch editor, settings, palette, search, dialogs, terminal', async ({ app, model, place, start }) => {
  await expect(app.composer.box).toBeVisible();
  await shoot(app, 'home', { wide: true });
  await app.drop({ paths: [place.fileToDrop('whole-cents.json', JSON.stringify(BATCH))] });
  await expect(app.batch.root).toContainText('Fix task 3 first');
  await app.batch.goal(2).click();
  await shoot(app, 'batch', { guide: 'both', wide: true });
  await app.page.keyboard.press('Escape');
  await app.page.keyboard.press('Escape');

  await app.settings.open();
  for (const section of SECTIONS) {
    await app.settings.go(section);
    await shoot(app, `settings-${section.toLowerCase()}`, {
      ...(section === 'Agents' && { guide: 'both' }),
      ...(section === 'Providers' && { guide: 'light', wide: true }),
    });
  }
  await app.settings.close.click();

  model.setScript(
    script(
      talk('Count the rows', call('write', { path: 'rows.md', content: '# Rows\n\nTwelve.\n' }), 'Twelve rows.'),
      talk('Count them again', 'Eleven rows.'),
      held('Prune the hedge', 'hedge'),
    ),
  );
  await start({
    version: 1,
    title: 'Counting',
    defaults: { permission: 'auto' },
    tasks: [
      { goal: 'Count the rows', label: 'Count the rows', isolation: 'worktree' },
      { goal: 'Count them again', label: 'Count them again' },
      { goal: 'Prune the hedge', label: 'Prune the hedge' },
      ...Array.from({ length: 14 }, (_, at) => ({
        goal: at === 3 ? 'exit 3' : 'true',
        agent: 'command',
        label: `Check ${at + 1}`,
      })),
    ],
  });
  await expect(app.tree.set(1)).toContainText('16 of 17 ended');
  await shoot(app, 'large-set', { guide: 'light', wide: true });
  await app.tree.open('Prune the hedge');
  await app.inspector.show('Process');
  await expect(app.inspector.panel.getByRole('table')).toContainText(/\d+ MB/);
  await shoot(app, 'process');
  await app.views.show('List');
  await app.views.row('Count the rows').click();
  await app.inspector.show('Changes');
  await expect(app.inspector.panel).toContainText('rows.md');
  await shoot(app, 'worktree', { guide: 'light' });
  await app.inspector.button('Discard').click();
  await expect(app.page.getByRole('dialog')).toBeVisible();
  await shoot(app, 'confirm');
  await app.page.keyboard.press('Escape');
  await app.page.keyboard.press('Alt+c');
  await app.views.row('Count them again').hover();
  await app.page.getByRole('button', { name: 'Compare Count them again with another run' }).click();
  await expect(app.views.comparison).toContainText('Eleven');
  await shoot(app, 'compare', { guide: 'light' });
  await app.page.keyboard.press('Escape');
  for (const [words, name] of [
    ['cost and tokens', 'usage'],
    ['templates', 'templates'],
    ['review', 'review'],
  ] as const) {
    await app.typeInPalette(words);
    if (name === 'usage') await shoot(app, 'palette');
    await app.page.keyboard.press('Enter');
    await expect(app.palette).toBeHidden();
    await expect(app.page.getByRole('dialog')).toBeVisible();
    await shoot(app, name, name === 'usage' ? { guide: 'light' } : {});
    await app.page.keyboard.press('Escape');
  }
  await app.heading.click();
  await app.page.keyboard.press('?');
  await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await shoot(app, 'shortcuts');
  await app.page.keyboard.press('Escape');
  await app.search.open();
  await app.search.box.fill('rows');
  await expect(app.search.hit('Count').first()).toBeVisible();
  await shoot(app, 'search', { guide: 'light' });
  await app.search.box.fill('nothing holds these');
  await expect(app.search.root).toContainText('Nothing was found.');
  await shoot(app, 'search-nothing');
  await app.page.keyboard.press('Escape');
  await app.terminals.toggle();
  await expect(app.terminals.screen).toBeVisible();
  await app.terminals.screen.click();
  await app.terminals.type('ls');
  await shoot(app, 'terminal', { guide: 'light' });
  await app.terminals.toggle();
  await app.inbox.open();
  await expect(app.inbox.root).toBeVisible();
  await shoot(app, 'inbox-empty');
  await app.page.keyboard.press('Escape');
  await app.page.setViewportSize({ width: 640, height: 400 });
  await app.page.keyboard.press('ControlOrMeta+b');
  await expect(app.sidebar.root).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) await look(app, 'zoom-200', 'sidebar', colorScheme);
  model.release('hedge');
});
