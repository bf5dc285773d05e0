import { held, holdAt, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

test('the main job by keyboard alone: write a batch, run it, walk the tree, steer one run, stop another', async ({
  app,
  model,
}) => {
  model.setScript(
    script(
      talk('Pick the apples', holdAt('apples'), 'Three baskets, and some left.'),
      held('Pick the pears', 'pears', 'Four baskets.'),
    ),
  );
  const { keyboard } = app.page;
  await keyboard.press('ControlOrMeta+Shift+b');
  await expect(app.batch.goal(1)).toBeFocused();
  await keyboard.type('Pick the apples');
  await keyboard.press('Enter');
  await expect(app.batch.goal(2)).toBeFocused();
  await keyboard.type('Pick the pears');
  await expect(app.batch.root).toContainText('Ready to run');
  await keyboard.press('ControlOrMeta+Enter');
  await expect(app.batch.root).toBeHidden();
  await model.waitForGate('apples');
  await model.waitForGate('pears');

  while (!(await app.tree.focused.isVisible())) await keyboard.press('F6');
  await keyboard.press('Home');
  await expect(app.tree.set(1)).toBeFocused();
  await keyboard.press('ArrowRight');
  await expect(app.tree.row('Pick the apples')).toBeFocused();
  await keyboard.press('Enter');
  await expect(app.inspector.title).toHaveText('Pick the apples');
  await expect(app.tree.row('Pick the apples')).toHaveAttribute('aria-selected', 'true');

  await keyboard.press('F6');
  await expect(app.inspector.root.locator(':focus')).toHaveCount(1);
  while (!(await app.inspector.steerBox.evaluate((box) => box === document.activeElement))) await keyboard.press('Tab');
  await keyboard.type('Leave some');
  await keyboard.press('Enter');
  await expect(app.inspector.steer('Leave some')).toContainText('queued');

  await keyboard.press('Shift+F6');
  // One key: what is typed in a breath is one word, and a machine may be out of breath.
  await keyboard.press('p');
  await expect(app.tree.row('Pick the pears')).toBeFocused();
  await keyboard.press('Delete');
  await expect(app.tree.rowThat('Pick the pears', 'Stopped')).toBeVisible();
  model.release('apples');
  await expect(app.tree.rowThat('Pick the apples', 'Completed')).toBeVisible();
});

test('the palette finds a command, a run and a project by keyboard', async ({ app, start }) => {
  await start({ version: 1, title: 'Pruning', tasks: [{ goal: 'true', agent: 'command', label: 'Saw the branch' }] });
  await expect(app.tree.rowThat('Saw the branch', 'Completed')).toBeVisible();
  await start({ version: 1, title: 'Harvest', tasks: [{ goal: 'Pick the apples', label: 'Pick the apples' }] });
  await expect(app.tree.set(1)).toContainText('1 of 1 ended');
  const { keyboard } = app.page;
  await keyboard.press('ControlOrMeta+k');
  const palette = app.page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await keyboard.type('pick the apples');
  await expect(palette.getByRole('option', { name: /Pick the apples/ })).toBeVisible();
  await keyboard.press('Enter');
  await expect(palette).toBeHidden();
  await expect(app.inspector.title).toHaveText('Pick the apples');
  await expect(app.tree.row('Pick the apples')).toBeFocused();
  // So it is with a conversation, also from a text box: the arrows go on in its tree.
  await app.composer.box.focus();
  await app.typeInPalette('pruning');
  await expect(palette.getByRole('option', { name: /Pruning/ }).first()).toBeVisible();
  await palette
    .getByRole('option', { name: /Pruning/ })
    .first()
    .click();
  await expect(app.heading).toContainText('Pruning');
  await expect(app.tree.focused).toHaveCount(1);
  await keyboard.press('End');
  await expect(app.tree.row('Saw the branch')).toBeFocused();

  await keyboard.press('?');
  await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  // At 200 % zoom of a small window they are scrolled down, not to the side.
  await app.page.setViewportSize({ width: 640, height: 400 });
  const keys = app.page.getByRole('region', { name: 'Shortcuts' });
  expect(await keys.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await app.page.setViewportSize({ width: 1440, height: 900 });
  await keyboard.press('Escape');
  await expect(app.page.getByRole('dialog')).toHaveCount(0);

  // What was asked for comes over the conversation that is open, and goes by Escape.
  await app.typeInPalette('set up models');
  await expect(app.palette.getByRole('option', { name: 'Set up models and agents' })).toBeVisible();
  await keyboard.press('Enter');
  await expect(app.onboarding.root).toBeVisible();
  await keyboard.press('Escape');
  await expect(app.onboarding.root).toBeHidden();
  // A folder is attached by its key also while the sidebar is hidden.
  await keyboard.press('ControlOrMeta+b');
  await expect(app.sidebar.root).toBeHidden();
  await keyboard.press('ControlOrMeta+o');
  await expect(app.folders.root).toBeVisible();
  await keyboard.press('Escape');
  await expect(app.folders.root).toBeHidden();
});
