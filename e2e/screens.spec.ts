import { axeFindings } from './fixtures/axe.ts';
import { call, held, holdAt, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';
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
  test.setTimeout(150_000);
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
});
