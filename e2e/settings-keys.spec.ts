import { expect, test } from './fixtures/test.ts';
import { written } from './fixtures/written.ts';

test('a key is bound, conflicts are shown, the bound key works, and ? shows it', async ({ app, place }) => {
  await app.settings.open();
  const section = await app.settings.go('Shortcuts');
  await section.getByRole('button', { name: /^Change the key of Inbox/ }).click();
  await app.page.keyboard.press('ControlOrMeta+k');
  await expect(section.getByRole('status')).toContainText('1 key is bound twice');
  await section.getByRole('button', { name: /^Change the key of Inbox/ }).click();
  await app.page.keyboard.press('ControlOrMeta+Shift+i');
  await expect(section.getByRole('status')).toHaveCount(0);
  await section.getByRole('button', { name: 'Show all shortcuts' }).click();
  await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toContainText(/Ctrl Shift I|⌘⇧I/);
  await app.page.keyboard.press('Escape');
  await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toBeHidden();
  await expect(app.settings.root).toBeVisible();
  await expect(section.getByRole('button', { name: 'Show all shortcuts' })).toBeFocused();
  await expect
    .poll(() => written(place.dataFolder, 'keys.json'))
    .toEqual({ version: 1, keys: { inbox: 'mod+shift+i' } });
  await app.settings.close.click();
  await app.page.keyboard.press('ControlOrMeta+Shift+i');
  await expect(app.page.getByRole('main', { name: 'Inbox' })).toBeVisible();
  await app.reload();
  await app.settings.open();
  await app.settings.go('Shortcuts');
  await section
    .getByRole('button', { name: /^Remove the key of (?:Cost and tokens|New)/ })
    .first()
    .click();
  await expect
    .poll(() => Object.values((written(place.dataFolder, 'keys.json') as { keys: object }).keys))
    .toContain(null);
  await app.settings.close.click();
  await app.heading.click();
  await app.page.keyboard.press('?');
  await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toContainText(/Ctrl Shift I|⌘⇧I/);
});
