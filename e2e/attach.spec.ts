import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures/test.ts';

test.describe('first start', () => {
  test.use({ attached: false, withModel: false });

  test('a folder is found in the chooser and attached, and the first batch of programs runs in it', async ({ app }) => {
    await expect(app.onboarding.root).toBeVisible();
    await app.onboarding.chooseFolder();
    await app.folders.folder('orchard').dblclick();
    await expect(app.folders.path).toHaveValue(/orchard$/);
    await app.folders.attach();
    await expect(app.onboarding.root.getByText('orchard attached')).toBeVisible();

    await app.onboarding.run(3).click();
    await expect(app.onboarding.root).toBeHidden();
    await expect(app.heading).toHaveText(/orchard.*First look/);
    await expect(app.tree.set(1)).toContainText('3 of 3 ended');
    await expect(app.tree.root.getByRole('img', { name: 'Completed', exact: true })).toHaveCount(3);
  });

  test('without any model or agent it says what is missing for each', async ({ app }) => {
    await expect(app.onboarding.root).toContainText('No model and no agent found');
    await app.onboarding.root.getByText('What is missing for each').click();
    await expect(app.onboarding.root.getByText('Anthropic:')).toBeVisible();
  });
});

test('a folder that is dropped opens the chooser where that folder is, also with an odd name', async ({
  app,
  place,
}) => {
  const name = "Straße “42”' #1 🍐";
  mkdirSync(join(place.userHome, name));
  await app.drop({ paths: [join(place.userHome, name)] });
  await expect(app.folders.path).toHaveValue(join(place.userHome, name));
  await app.folders.attach();
  await expect(app.sidebar.entry('Projects', name)).toBeVisible();
});
