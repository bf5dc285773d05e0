import { axeFindings } from './fixtures/axe.ts';
import { call, held, holdAt, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';
import type { Locator } from '@playwright/test';
import type { App } from './pages/app.ts';

const BOTH = ['light', 'dark'] as const;

/** Looks at the screen in both themes, and fails naming the screen. */
async function expectNothingFound(app: App, screen: string): Promise<void> {
  for (const colorScheme of BOTH) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), `${screen}, ${colorScheme}`).toEqual([]);
  }
}

test.describe('screens without any project', () => {
  test.use({ attached: false, withModel: false });

  test('axe finds nothing at the first start and in the folder chooser', async ({ app }) => {
    await expect(app.onboarding.root).toContainText('No model and no agent found');
    await expectNothingFound(app, 'first start');
    await app.onboarding.chooseFolder();
    await expect(app.folders.folder('orchard')).toBeVisible();
    await expectNothingFound(app, 'folder chooser');
  });
});

test('axe finds nothing in home, batch editor, palette, shortcuts and settings', async ({ app }) => {
  await expect(app.composer.box).toBeVisible();
  await expectNothingFound(app, 'home');
  await app.drop({ text: 'Look at the apple file\nTODO\nLook at the pear file' });
  await expect(app.batch.root).toContainText('Fix task 2 first');
  await expectNothingFound(app, 'batch editor');
  // In a narrow editor the choices stand under the goal, and the head still says what each of them is.
  await app.page.setViewportSize({ width: 1024, height: 700 });
  const left = (what: Locator): Promise<number> => what.evaluate((element) => element.getBoundingClientRect().left);
  const isolation = app.batch.root.getByRole('columnheader', { name: 'Isolation' });
  await expect(isolation).toBeVisible();
  const cell = app.batch.root.getByRole('row', { name: 'Task 1' }).getByRole('cell').nth(5);
  expect(await left(cell)).toBe(await left(isolation));
  await app.page.setViewportSize({ width: 1440, height: 900 });
  await app.page.keyboard.press('Escape');
  await app.page.keyboard.press('ControlOrMeta+k');
  await expect(app.page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await expectNothingFound(app, 'palette');
  await app.page.keyboard.press('Escape');
  await app.heading.click();
  await app.page.keyboard.press('?');
  await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await expectNothingFound(app, 'shortcuts');
});

test.describe('screens with all states', () => {
  // Axe looks at six screens twice, and takes its time.
  test('axe finds nothing in a tree with every state, the inspector and the inbox', async ({ app, model, start }) => {
    const looks = [{ text: 'Looking.' }, call('ls', { path: '.' })];
    const child = { goal: 'Weigh the early apples', label: 'Weigh the apples' };
    model.setScript(
      script(
        held('Pick the apples', 'apples'),
        talk('Fetch the ladder', { fault: { status: 401, message: 'invalid x-api-key' } }),
        talk('Inspect every tree', looks, looks, 'Two of three rows.'),
        talk('Saw the branch', call('bash', { command: 'echo sawn' })),
        talk('Organise the weighing', call('delegate_task', { tasks: [child] })),
        held('Weigh the early apples', 'weigh'),
        talk('Write the list', [
          { reasoning: 'Short is best.' },
          { text: 'It says:\n\n- apples\n- `pears`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = 1;\n```\n' },
          call('write', { path: 'list.md', content: '# List\n' }),
          call('bash', { command: "printf '\\033[31mred\\033[0m plain\\n'" }),
          ...holdAt('list', 'Written'),
        ]),
      ),
    );
    await start({
      version: 1,
      title: 'Harvest',
      defaults: { permission: 'auto' },
      tasks: [
        { goal: 'Pick the apples', label: 'Pick the apples' },
        { goal: 'Fetch the ladder', label: 'Fetch the ladder' },
        { goal: 'Inspect every tree', label: 'Inspect every tree', limits: { max_turns: 2 } },
        { goal: 'Saw the branch', label: 'Saw the branch', permission: 'ask' },
        { goal: 'Organise the weighing', label: 'Organise the weighing' },
        { goal: 'Write the list', label: 'Write the list' },
        { goal: 'exit 3', agent: 'command', label: 'Count' },
      ],
    });
    await expect(app.tree.rowThat('Saw the branch', 'Asks permission')).toBeVisible();
    await expect(app.tree.rowThat('Inspect every tree', 'Caveat')).toBeVisible();
    await expect(app.tree.rowThat('Weigh the apples', 'Running')).toBeVisible();
    await model.waitForGate('apples');
    await app.tree.stop('Pick the apples');
    await expect(app.tree.rowThat('Pick the apples', 'Stopped')).toBeVisible();
    await expectNothingFound(app, 'tree');

    await app.tree.open('Write the list');
    await expect(app.inspector.panel).toContainText('Written');
    await app.inspector.steerBox.fill('Also plums');
    await app.page.keyboard.press('Enter');
    await expect(app.inspector.steer('Also plums')).toBeVisible();
    await expectNothingFound(app, 'transcript');
    await app.tree.open('Inspect every tree');
    await app.inspector.show('Result');
    await expect(app.inspector.panel).toContainText('Cut by a limit');
    await expectNothingFound(app, 'result');
    await app.tree.open('Saw the branch');
    await expectNothingFound(app, 'permission in the inspector');
    await app.inbox.open();
    await expect(app.inbox.current).toBeVisible();
    await expectNothingFound(app, 'inbox');
  });
});

test.describe('screens that ask', () => {
  test('axe finds nothing in what asks before something is lost, in a set of many, and in sidebar and inspector of a narrow window', async ({
    app,
    model,
    start,
  }) => {
    const { page } = app;
    const dialog = page.getByRole('dialog');
    const write = call('write', { path: 'list.md', content: '# List\n' });
    model.setScript(script(talk('Write the list', write, 'Written.'), held('Prune the hedge', 'hedge')));
    await start({
      version: 1,
      title: 'Winter',
      defaults: { permission: 'auto' },
      tasks: [
        { goal: 'Write the list', label: 'Write the list', isolation: 'worktree' },
        { goal: 'Prune the hedge', label: 'Prune the hedge' },
        { goal: 'sleep 613', agent: 'command', label: 'Wait for frost' },
        ...Array.from({ length: 11 }, (_, at) => ({ goal: 'exit 3', agent: 'command', label: `Check ${at + 1}` })),
      ],
    });
    await expect(app.tree.set(1)).toContainText('12 of 14 ended');
    await app.tree.set(1).click();
    await expect(app.inspector.title).toContainText('set 1');
    await expectNothingFound(app, 'set of many, with its panel');

    await app.views.show('List');
    await app.views.row('Write the list').click();
    await app.inspector.show('Changes');
    await app.inspector.button('Discard').click();
    await expect(dialog).toContainText('Discard these changes?');
    await expectNothingFound(app, 'discard');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    await model.waitForGate('hedge');
    await app.typeInPalette('stop this conversation');
    await expect(app.palette.getByRole('option', { name: 'Stop this conversation', exact: true })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText('Stop 2 runs?');
    await expectNothingFound(app, 'stop all');
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(app.sidebar.entry('Recent', 'Winter')).toContainText('14/14');

    await app.sidebar.entry('Recent', 'Winter').hover();
    await app.sidebar.root.getByRole('button', { name: 'Actions for Winter' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(dialog).toContainText('Winter');
    await expectNothingFound(app, 'delete');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    await app.views.filterText.fill('nothing is called so');
    await app.views.show('Tree');
    await expect(page.getByText('No run matches.')).toBeVisible();
    // What 200 % zoom makes of 1280: the sidebar lies over the page, and goes when something in it is chosen.
    await page.setViewportSize({ width: 640, height: 400 });
    await expect(app.sidebar.root).toBeHidden();
    await page.getByRole('button', { name: 'Show or hide the sidebar' }).click();
    await expect(app.sidebar.root).toBeVisible();
    await expectNothingFound(app, 'sidebar over a narrow window');
    await app.sidebar.entry('Recent', 'Winter').click();
    await expect(app.sidebar.root).toBeHidden();

    // There the inspector is a drawer over all of the centre, closed by its button and by Escape; the keyboard goes back to the row.
    const { inspector } = app;
    const close = inspector.root.getByRole('button', { name: 'Close the inspector' });
    await expect(inspector.title).toHaveText('Write the list');
    await expectNothingFound(app, 'inspector over a narrow window');
    expect(await inspector.root.evaluate((pane) => pane.clientWidth)).toBe(640);
    await close.click();
    await expect(inspector.root).toBeHidden();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    // Its button goes with the filter; the keyboard goes on beside it.
    await expect(app.views.filterText).toBeFocused();
    await app.views.show('List');
    const row = app.views.row('Write the list');
    await row.click();
    await expect(inspector.root).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(inspector.root).toBeHidden();
    await expect(row).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(inspector.title).toHaveText('Write the list');
    await page.keyboard.press('Tab');
    await expect(close).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(row).toBeFocused();
  });
});

test('the theme follows the system until the user chooses one, and the choice outlives a reload', async ({ app }) => {
  const html = app.page.locator('html');
  const ink = (): Promise<string> => html.evaluate(() => getComputedStyle(document.body).color);
  await app.page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-theme', 'dark');
  const dark = await ink();
  await app.page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-theme', 'light');
  await expect.poll(ink).not.toBe(dark);
  await app.chooseTheme('Light');
  await app.page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-theme', 'light');
  await app.page.emulateMedia({ colorScheme: 'light' });
  await app.chooseTheme('Dark');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect.poll(ink).toBe(dark);
  await app.reload();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await app.chooseTheme('Like the system');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await app.page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(app.settings.root).toBeVisible();
});
