import { statSync } from 'node:fs';
import { join } from 'node:path';
import { axeFindings } from './fixtures/axe.ts';
import { expect, test } from './fixtures/test.ts';
import { written } from './fixtures/written.ts';

test('K4: a provider is added, changed and removed; a key in place of its variable is refused, headers are not shown', async ({
  app,
  place,
}) => {
  await app.settings.open();
  const section = await app.settings.go('Providers');
  await section.getByRole('button', { name: 'Add a provider' }).click();
  const form = section.getByRole('form', { name: 'New provider' });
  await expect(form.locator(':focus')).toHaveCount(1);
  await app.page.keyboard.type('acme');
  await form.getByRole('combobox', { name: 'Kind' }).selectOption('anthropic');
  await form.getByRole('combobox', { name: 'Kind' }).selectOption('openai-compatible');
  await form.getByLabel('Address').fill('http://127.0.0.1:9/v1');
  const key = form.getByLabel('Variable with the key');
  await key.fill('sk-secret-1');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(key).toBeFocused();
  await expect(form).toContainText('looks like a key');
  await key.fill('ACME_API_KEY');
  await form.getByLabel('Models').fill('pear-1\npear-2.5');
  await form.getByRole('button', { name: 'Save' }).click();
  const line = section.getByRole('group', { name: 'acme', exact: true });
  await expect(line).toContainText('key missing: ACME_API_KEY · 2 models');
  await expect
    .poll(() => written(place.dataFolder, 'settings.json'))
    .toMatchObject({
      providers: {
        acme: {
          kind: 'openai-compatible',
          baseUrl: 'http://127.0.0.1:9/v1',
          apiKeyEnv: 'ACME_API_KEY',
          models: { 'pear-1': {}, 'pear-2.5': {} },
        },
      },
    });
  await line.getByRole('button', { name: 'Edit provider acme' }).click();
  await section.getByRole('textbox', { name: 'Models' }).fill('pear-1');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(line).toContainText('1 model');
  await line.getByRole('button', { name: 'Remove provider acme' }).click();
  await section.getByRole('button', { name: 'Yes, remove acme' }).click();
  await expect(line).toBeHidden();
  await expect(section.getByRole('group', { name: 'scripted', exact: true })).toBeVisible();
});

test.describe('connections', () => {
  test.use({ settings: { defaultModel: 'scripted/scripted-model' } });
  test('K4: a connection is tested, models with prices are listed and chosen, a key is kept in a file by choice and shown nowhere', async ({
    app,
    place,
    model,
  }) => {
    const KEY = 'CANARY-key-for-acme';
    await app.settings.open();
    const section = await app.settings.go('Providers');
    await section.getByRole('button', { name: 'Add a provider' }).click();
    const form = section.getByRole('form', { name: 'New provider' });
    await expect(form.locator(':focus')).toHaveCount(1);
    await app.page.keyboard.type('acme');
    await form.getByLabel('Address').fill(`${model.url}/v1`);
    await form.getByLabel('Variable with the key').fill('ACME_API_KEY');
    await form.getByRole('button', { name: 'Save' }).click();
    const acme = section.getByRole('group', { name: 'acme', exact: true });
    const test = acme.getByRole('button', { name: 'Test connection to acme' });
    const said = acme.getByRole('list', { name: 'What the test of acme has shown' });
    await test.click();
    await expect(said).toContainText('There is no key: ACME_API_KEY is not set.');

    await acme.getByRole('button', { name: 'Key of acme' }).click();
    const key = acme.getByLabel('Key of acme', { exact: true }).and(app.page.locator('input'));
    await expect(key).toBeFocused();
    await key.fill(KEY);
    const keep = acme.getByRole('button', { name: 'Keep and test' });
    await expect(keep).toBeDisabled();
    await acme.getByRole('checkbox').check();
    await keep.click();
    await expect(acme).toContainText('key kept here, for ACME_API_KEY');
    await expect(said).toContainText('It lists');
    expect(await app.page.content()).not.toContain('CANARY');
    await expect
      .poll(() => written(place.dataFolder, 'provider-keys.json'))
      .toEqual({ version: 1, keys: { ACME_API_KEY: KEY } });
    expect(statSync(join(place.dataFolder, 'provider-keys.json')).mode & 0o777).toBe(0o600);

    await acme.getByRole('button', { name: 'Models of acme' }).click();
    const offered = acme.getByRole('checkbox', { name: 'Offer instant in lists' });
    await offered.click();
    await expect(offered).toBeChecked();
    await expect(acme).toContainText('1 model');
    await acme.getByRole('button', { name: 'Use as default: instant' }).click();
    await expect(section.getByRole('combobox', { name: 'Default model' })).toHaveValue('acme/instant');
    const scripted = section.getByRole('group', { name: 'scripted', exact: true });
    await scripted.getByRole('button', { name: 'Models of scripted' }).click();
    await expect(scripted.getByRole('row', { name: /scripted-model/ })).toContainText('15.00');
    await section.getByRole('button', { name: 'Show prices' }).click();
    await expect(section.getByRole('table', { name: 'Prices of Anthropic' })).toContainText('claude-opus-5-5');
    await expect(section).toContainText('Last compared with the vendors’ pages on');
    await section.getByRole('link', { name: 'price page' }).first().click();
    const target = app.page.getByRole('dialog', { name: 'Open this link?' });
    await expect(target).toContainText('https://');
    await app.page.keyboard.press('Escape');
    await expect(target).toBeHidden();
    await section.getByRole('button', { name: 'Hide prices' }).click();
    await expect(section.getByRole('table', { name: 'Prices of Anthropic' })).toBeHidden();
    await section.getByRole('combobox', { name: 'Default model' }).selectOption('scripted/scripted-model');
    await expect
      .poll(() => written(place.dataFolder, 'settings.json'))
      .toMatchObject({ defaultModel: 'scripted/scripted-model' });

    for (const colorScheme of ['light', 'dark'] as const) {
      await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      expect.soft(await axeFindings(app.page), colorScheme).toEqual([]);
    }
    await acme.getByRole('button', { name: 'Key of acme' }).click();
    await acme.getByRole('button', { name: 'Forget the key' }).click();
    await expect(acme).toContainText('key missing');
  });
});
