import { axeFindings } from './fixtures/axe.ts';
import { script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

test.use({ settings: { limits: { dayCostUsd: 5 } } });

test('cost and tokens stand by day and project, with the limit of the day, as a picture and as a table', async ({
  app,
  model,
  start,
}) => {
  model.setScript(script(talk('Count the trees', 'Twelve.')));
  await start({ version: 1, title: 'Counting', tasks: [{ goal: 'Count the trees', label: 'Count' }] });
  await expect(app.tree.set(1)).toContainText('1 of 1 ended');
  await app.typeInPalette('cost and tokens');
  await app.page.getByRole('option', { name: 'Cost and tokens', exact: true }).click();
  const usage = app.page.getByRole('dialog', { name: 'Cost and tokens' });
  await expect(usage.getByRole('row', { name: /^orchard \$?/ })).toBeVisible();
  await expect(usage.getByRole('row')).toHaveCount(3);
  await expect(usage).toContainText('Limit of today');
  await expect(usage).toContainText('of $5.00');
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), colorScheme).toEqual([]);
  }
  await usage.getByRole('combobox', { name: 'What is shown' }).selectOption('Tokens');
  await usage.getByRole('combobox', { name: 'Time' }).selectOption('7 days');
  await usage.getByRole('combobox', { name: 'Project' }).selectOption('orchard');
  await expect(usage.locator('.usage-chart g')).toHaveCount(7);
  await expect(usage.getByRole('row', { name: /^orchard/ })).toBeVisible();
  await app.page.keyboard.press('Escape');
  await expect(usage).toBeHidden();
});
