import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { held, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

test.describe('first start', () => {
  test.use({ attached: false, withModel: false });

  test('a folder is found in the chooser and attached, and the first batch of programs runs in it', async ({ app }) => {
    await expect(app.onboarding.root).toBeVisible();
    await app.onboarding.chooseFolder();
    await app.folders.folder('orchard').dblclick();
    await expect(app.folders.path).toHaveValue(/orchard$/);
    // What is typed is what is attached; what is no folder stays, with the reason and the way to the nearest one.
    const folder = await app.folders.path.inputValue();
    const attach = app.folders.root.getByRole('button', { name: /^Attach / });
    await expect(app.folders.folder('src')).toBeVisible();
    await app.page.keyboard.press('/');
    await expect(app.folders.path).toHaveValue('/');
    await app.folders.path.fill(`${folder}/srcs/none`);
    await expect(attach).toContainText('Attach none');
    await app.page.keyboard.press('ControlOrMeta+Enter');
    await expect(app.folders.root.getByRole('alert')).toContainText('does not exist');
    await expect(app.folders.path).toHaveValue(`${folder}/srcs/none`);
    await expect(app.folders.folder('src')).toBeVisible();
    await app.folders.root.getByRole('button', { name: 'Go to the nearest folder' }).click();
    await expect(app.folders.path).toHaveValue(/orchard\/src$/);
    await app.folders.path.fill(folder);
    await expect(attach).toContainText('Attach orchard');
    await app.page.keyboard.press('ControlOrMeta+Enter');
    await expect(app.onboarding.root.getByText('orchard attached')).toBeVisible();
    const button = (name: string) => app.onboarding.root.getByRole('button', { name, exact: true });
    await button('Choose another').click();
    await expect(app.folders.root).toBeVisible();
    await app.page.keyboard.press('Escape');
    await expect(app.folders.root).toBeHidden();
    await button('Edit them first').click();
    await expect(app.batch.goals).toHaveCount(3);
    await app.batch.button('Close').click();
    await expect(app.batch.root).toBeHidden();

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
    await expect(app.onboarding.root.getByText(/No program codex-acp was found\. To install it:/)).toBeVisible();
    await app.onboarding.root.getByRole('button', { name: 'Copy how to install codex-acp' }).click();
    await expect.poll(() => app.page.evaluate(() => navigator.clipboard.readText())).toMatch(/^npm install .*codex/);
    await expect(app.onboarding.root.locator('.step').first()).toHaveAttribute('data-state', 'later');
    const button = (name: string | RegExp) => app.onboarding.root.getByRole('button', { name });
    await button('Look again').click();
    await expect(button('Look again')).toBeEnabled();
    await expect(app.onboarding.root).toContainText('No model and no agent found');
    await button('All shortcuts').click();
    await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
    await app.page.keyboard.press('Escape');
    await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toBeHidden();
    await button('Close').click();
    await expect(app.onboarding.root).toBeHidden();
    await expect(app.page.getByText('There is no model yet')).toBeVisible();
    await app.page.getByRole('button', { name: 'Providers in the settings' }).click();
    await expect(app.settings.root).toBeVisible();
    await app.settings.close.click();
    await app.page.getByRole('button', { name: 'Set up models and agents' }).click();
    await expect(app.onboarding.root).toBeVisible();

    await button('Enter a key…').click();
    await app.onboarding.root.getByRole('combobox', { name: 'Provider of the key' }).selectOption('Anthropic');
    const form = app.onboarding.root.getByRole('form', { name: 'Key of Anthropic' });
    await form.getByLabel('Key of Anthropic', { exact: true }).fill('not-a-real-key');
    await form.getByRole('checkbox').check();
    await form.getByRole('button', { name: 'Keep the key' }).click();
    const model = app.page.getByRole('combobox', { name: 'Model of Anthropic' });
    await expect(model).toHaveValue('claude-sonnet-5-5');
    const row = app.onboarding.root.locator('.find-row').filter({ has: model });
    await expect(row).toContainText('$2.00 in, $10.00 out per million tokens');
    await expect(row).toContainText('default');
    await model.selectOption('claude-haiku-4-5');
    await expect(row).toContainText('$1.00 in, $5.00 out');
    await button('Use it: Anthropic').click();
    await expect(row).toContainText('default');
    await button('Close').click();
    await expect(app.page.getByText('There is no model yet')).toBeHidden();
    await expect(app.page.getByText('$1.00 in, $5.00 out per million tokens')).toBeVisible();
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
  const entry = app.sidebar.entry('Projects', name).first();
  await entry.click();
  await expect(entry).toHaveAttribute('aria-expanded', 'true');
  await expect(app.sidebar.section('Projects')).toContainText('No conversation yet');

  // By hand the chooser goes up, to a folder above, and where a path says.
  await app.sidebar.root.getByRole('button', { name: 'Attach a project folder' }).click();
  await expect(app.folders.folder(name)).toBeVisible();
  const home = await app.folders.path.inputValue();
  await app.folders.root.getByRole('button', { name: 'One folder up' }).click();
  await expect(app.folders.path).toHaveValue(dirname(home));
  await app.folders.path.fill(place.project);
  await app.folders.path.press('Enter');
  await expect(app.folders.folder('src')).toBeVisible();
  await app.folders.root
    .getByRole('navigation')
    .getByRole('button', { name: basename(home), exact: true })
    .click();
  await expect(app.folders.path).toHaveValue(home);
  await app.folders.path.fill(place.project);
  await app.folders.path.press('Enter');
  await expect(app.folders.folder('src')).toBeVisible();
  await app.folders.root.getByRole('button', { name: 'Home', exact: true }).click();
  await expect(app.folders.path).toHaveValue(home);
  await app.page.keyboard.press('Escape');
  await expect(app.folders.root).toBeHidden();
  await app.page
    .getByRole('region', { name: 'New conversation' })
    .getByRole('button', { name: 'Attach a folder' })
    .click();
  await expect(app.folders.folder(name)).toBeVisible();
});

test('files that are dropped on a set card become tasks of that set, and on a row a part of the message to its run; fail_fast leaves what had not started (case 54)', async ({
  app,
  model,
  start,
}) => {
  const pears = held('Water the pears', 'pears', 'Watered.');
  model.setScript(script(pears, talk('Prune the old trees', 'Pruned.'), talk('Sweep the long path', 'Swept.')));
  const task = { goal: 'Water the pears', label: 'Water the pears' };
  await start({ version: 1, title: 'Harvest', tasks: [task] });
  await expect(app.tree.rowThat('Water the pears', 'Running')).toBeVisible();

  await app.batch.dropFiles([{ name: `notes “1” 🍐.md`, text: 'Only the young ones.' }], '[data-drop-run]');
  await expect(app.inspector.steerBox).toHaveValue(/notes “1” 🍐\.md[^]*Only the young ones\./);
  await expect(app.batch.root).toBeHidden();

  await app.tree.set(1).hover();
  await app.tree.set(1).getByRole('button', { name: 'Add tasks to set 1' }).click();
  await expect(app.batch.root).toContainText('Add to set 1 · Harvest');
  await app.batch.button('Close').click();
  await expect(app.batch.root).toBeHidden();
  // The set grows by two while it is at work: n rises, numbers stay (case 54).
  const more = '- Prune the old trees\n- Sweep the long path\n';
  await app.batch.dropFiles([{ name: 'more.md', text: more }], '[data-drop-set]');
  await expect(app.batch.goal(1)).toHaveValue('Prune the old trees');
  await app.batch.root.getByRole('button', { name: 'Add to set 1' }).click();
  await expect(app.batch.root).toBeHidden();
  await expect(app.tree.rowThat('Prune the old trees', 'Completed')).toBeVisible();
  await expect(app.tree.set(1)).toContainText('2 of 3 ended');
  const places = ['Water the pears', 'Prune the old trees', 'Sweep the long path'].map((label) => app.tree.row(label));
  for (const [at, row] of places.entries()) await expect(row).toContainText(`${at + 1}/3`);
  model.release('pears');
  await expect(app.tree.set(1)).toContainText('3 of 3 ended');

  // With `fail_fast` the first failure leaves what had not started (case 54).
  const goal = { agent: 'command', label: 'Count the trees' };
  await start({
    version: 1,
    title: 'Count',
    fail_fast: true,
    max_concurrent: 1,
    tasks: [
      { ...goal, goal: 'exit 3', label: 'Open the gate' },
      { ...goal, goal: 'true' },
    ],
  });
  await expect(app.tree.rowThat('Open the gate', 'Failed')).toBeVisible();
  await expect(app.tree.rowThat('Count the trees', 'Stopped')).toContainText(/dependency|depends|failed/i);
});
