import { axeFindings } from './fixtures/axe.ts';
import { script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

/** Controls that no other test needs on its way: each is used once, and does what it says. */
test('bars and menus around a conversation: each control does what it says', async ({ app, model, start }) => {
  const { page, sidebar, inspector, views } = app;
  model.setScript(script(talk('Count the trees', 'Twelve trees.')));
  await start({
    version: 1,
    title: 'Counting',
    tasks: [
      { goal: 'Count the trees', label: 'Trees' },
      { goal: 'echo one; exit 3', label: 'Rows', agent: 'command' },
    ],
  });
  await expect(app.tree.set(1)).toContainText('2 of 2 ended');

  // The frame.
  const hide = page.getByRole('button', { name: 'Show or hide the sidebar' });
  await hide.click();
  await expect(sidebar.root).toBeHidden();
  await hide.click();
  await expect(sidebar.root).toBeVisible();
  const everything = page.getByRole('switch', { name: 'Pause everything' });
  await everything.click();
  await expect(page.getByText('Everything is paused: nothing new starts')).toBeVisible();
  await everything.click();
  await expect(page.getByText('Everything is paused: nothing new starts')).toBeHidden();
  await sidebar.inbox.click();
  await expect(app.inbox.root).toBeVisible();
  await app.inbox.root.getByRole('button', { name: 'Close the inbox' }).click();
  await expect(app.inbox.root).toBeHidden();
  await sidebar.search.fill('nothing like it');
  await expect(sidebar.section('Recent')).toBeHidden();
  await sidebar.root.getByRole('button', { name: 'Search everything for “nothing like it”' }).click();
  await expect(app.search.box).toHaveValue('nothing like it');
  await page.keyboard.press('Escape');
  await expect(app.search.root).toBeHidden();
  await sidebar.root.getByRole('button', { name: 'Clear the search' }).click();
  await expect(sidebar.search).toHaveValue('');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await expect(page.getByRole('region', { name: 'New conversation' }).or(app.composer.box)).not.toHaveCount(0);
  await sidebar.open('Counting');

  // The tree and its cards.
  await app.tree.set(1).hover();
  await app.tree.set(1).getByRole('button', { name: 'Collapse' }).click();
  await expect(app.tree.row('Trees')).toHaveCount(0);
  await app.tree.set(1).hover();
  await app.tree.set(1).getByRole('button', { name: 'Expand' }).click();
  await expect(app.tree.row('Trees')).toBeVisible();
  await page.getByRole('button', { name: 'Fit' }).click();
  await expect(page.getByText(/^\d+ %$/)).toBeVisible();

  // The inspector.
  await app.tree.open('Trees');
  await inspector.button('Find in transcript').click();
  await expect(inspector.panel.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await inspector.choose('More actions', 'Copy goal');
  await expect.poll(clipboard).toBe('Count the trees');
  await inspector.choose('More actions', 'Copy run id');
  await expect.poll(clipboard).toMatch(/^run_/);
  await inspector.choose('More actions', 'Retry with changes…');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Retry');
  expect.soft(await axeFindings(page), 'retry with changes').toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await inspector.show('Result');
  await inspector.button('Copy as Markdown').click();
  await expect.poll(clipboard).toContain('Twelve trees.');
  await inspector.button('Copy as JSON').click();
  await expect.poll(clipboard).toContain('"status"');

  // Ways to try again what failed; each makes another run in the place of the one before.
  const rows = app.tree.rowThat('Rows', 'Failed');
  const runIn = (): Promise<string | null> => app.tree.row('Rows').getAttribute('data-drop-run');
  const triesAgain = async (press: () => Promise<void>): Promise<void> => {
    const before = await runIn();
    await press();
    await expect.poll(runIn).not.toBe(before);
  };
  await triesAgain(() => app.tree.row('Rows').getByRole('button', { name: 'Retry Rows' }).click());
  await expect(rows).toBeVisible();
  await app.tree.set(1).hover();
  await triesAgain(() => app.tree.set(1).getByRole('button', { name: 'Retry what failed in set 1' }).click());
  await expect(rows).toBeVisible();
  await rows.click();
  await triesAgain(() => inspector.root.getByRole('button', { name: 'Retry', exact: true }).click());
  await expect(rows).toBeVisible();
  await expect(inspector.root).toContainText('Retry of an earlier run');
  await inspector.root.getByRole('button', { name: 'Show it' }).click();
  await expect(inspector.root).toContainText('A retry has taken its place');
  await inspector.root.getByRole('button', { name: 'Show it' }).click();
  await expect(inspector.root).toContainText('Retry of an earlier run');
  await inspector.root.getByRole('button', { name: 'More actions' }).click();
  await triesAgain(() => page.getByRole('menuitem', { name: 'Retry', exact: true }).click());
  await expect(rows).toBeVisible();
  await rows.click();
  await inspector.root.getByRole('button', { name: 'Retry with changes' }).click();
  await dialog.getByRole('textbox', { name: 'Goal' }).fill('echo two');
  await triesAgain(() => dialog.getByRole('button', { name: 'Retry' }).click());
  await expect(app.tree.rowThat('Rows', 'Completed')).toContainText('two');

  // The list.
  await views.show('List');
  for (const column of ['Status', 'Tokens', 'Time', 'Cost'] as const) {
    await views.head(column).getByRole('button').click();
    await expect(views.head(column)).toHaveAttribute('aria-sort', /ascending|descending/);
  }
  await page.getByRole('switch', { name: 'Levels' }).click();
  await expect(views.row('set 1 ·')).toHaveCount(0);
  await page.getByRole('switch', { name: 'Levels' }).click();
  await expect(views.row('set 1 ·')).toBeVisible();
  await views
    .row('set 1 ·')
    .getByRole('button', { name: /^Collapse set 1/ })
    .click();
  await expect(views.row('Rows')).toHaveCount(0);
  await views
    .row('set 1 ·')
    .getByRole('button', { name: /^Expand set 1/ })
    .click();
  await expect(views.row('Rows')).toBeVisible();
});
