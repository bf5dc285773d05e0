import { axeFindings } from './fixtures/axe.ts';
import { script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

test('a terminal opens in the project, shows what its shell prints, and takes the size of the panel', async ({
  app,
  core,
  projectId,
}) => {
  await app.terminals.toggle();
  await expect(app.terminals.screen).toBeVisible();
  await expect(app.terminals.tabs).toHaveText(['orchard']);
  await app.terminals.type('echo "in $(basename "$PWD")"; cat README.md');
  await expect(app.terminals.screen).toContainText('in orchard');
  await expect(app.terminals.screen).toContainText('Apples and pears.');
  const rows = async (): Promise<number> => {
    const mark = `size${Date.now()}`;
    await app.terminals.type(`echo ${mark} $(stty size) end`);
    const shown = app.terminals.screen.getByText(new RegExp(`^${mark} \\d+ \\d+ end`));
    return Number(/ (\d+) \d+ end/.exec((await shown.textContent()) ?? '')?.[1]);
  };
  // Until it is given a height, it follows the window.
  await app.page.setViewportSize({ width: 1440, height: 700 });
  await expect(app.terminals.border).toHaveAttribute('aria-valuenow', '182');
  await app.page.setViewportSize({ width: 1440, height: 900 });
  await expect(app.terminals.border).toHaveAttribute('aria-valuenow', '234');
  const before = await rows();
  await app.terminals.border.focus();
  for (let i = 0; i < 4; i += 1) await app.page.keyboard.press('ArrowUp');
  await expect(app.terminals.border).toHaveAttribute('aria-valuenow', '330');
  await app.terminals.screen.click();
  await expect.poll(rows).toBeGreaterThan(before);
  // What it was given it keeps, in another window too.
  await app.page.setViewportSize({ width: 1440, height: 700 });
  await app.reload();
  await expect(app.terminals.border).toHaveAttribute('aria-valuenow', '330');
  expect(await core.client.terminals.list()).toMatchObject([{ project_id: projectId, run_id: null, alive: true }]);
});

test('a terminal outlives a reload with its output; closing it ends its shell, hiding the panel does not', async ({
  app,
  core,
}) => {
  await app.terminals.toggle();
  await expect(app.terminals.screen).toBeVisible();
  await app.terminals.type('echo first"line"');
  await expect(app.terminals.screen).toContainText('firstline');
  await app.reload();
  await expect(app.terminals.screen).toContainText('firstline');
  await app.terminals.screen.click();
  await app.terminals.type('echo second"line"');
  await expect(app.terminals.screen).toContainText('secondline');
  await app.terminals.button('Hide the terminals').click();
  await expect(app.terminals.root).toBeHidden();
  expect(await core.client.terminals.list()).toHaveLength(1);
  await app.page.getByRole('button', { name: 'Terminal', exact: true }).click();
  await expect(app.terminals.screen).toContainText('secondline');

  await app.terminals.button('Open a terminal').click();
  await expect(app.terminals.tabs).toHaveCount(2);
  await app.terminals.tabs.first().click();
  await expect(app.terminals.tabs.first()).toHaveAttribute('aria-selected', 'true');
  await expect(app.terminals.screen).toContainText('secondline');
  await app.terminals.button('Close this terminal, with all it started').click();
  await app.terminals.button('Close this terminal, with all it started').click();
  await expect(app.terminals.root).toContainText('No terminal is open.');
  await expect.poll(async () => (await core.client.terminals.list()).length).toBe(0);
});

test('the keyboard alone enters and leaves a terminal; other keys are the shell’s', async ({ app }) => {
  await app.terminals.toggle();
  const input = app.terminals.screen.getByRole('textbox');
  await expect(input).toBeFocused();
  // Ctrl K and Ctrl B would be the palette's and the sidebar's elsewhere.
  await app.page.keyboard.press('Control+k');
  await app.page.keyboard.press('Control+b');
  await expect(app.page.getByRole('dialog')).toHaveCount(0);
  await expect(app.page.getByRole('navigation', { name: 'Sidebar' })).toBeVisible();
  await app.page.keyboard.press('F6');
  await expect(input).not.toBeFocused();
  await app.page.keyboard.press('Shift+F6');
  await expect(input).toBeFocused();
  await app.terminals.toggle();
  await expect(app.terminals.root).toBeHidden();
});

test('a shell that has ended says so with its status, and what it printed stays', async ({ app }) => {
  await app.terminals.toggle();
  await expect(app.terminals.screen).toBeVisible();
  await app.terminals.type('echo last"words"; exit 7');
  await expect(app.terminals.tabs).toHaveText([/ended, exit 7/]);
  await expect(app.terminals.screen).toContainText('lastwords');
  await expect(app.terminals.screen).toContainText('The shell has ended.');
});

test('a terminal opens where a run works, and axe finds nothing in it', async ({ app, model, start }) => {
  model.setScript(script(talk('Pick the apples', 'Picked.')));
  await start({
    version: 1,
    title: 'Harvest',
    defaults: { permission: 'auto', isolation: 'worktree' },
    tasks: [{ goal: 'echo ripe > ripe.txt', agent: 'command', label: 'Ripen' }],
  });
  await expect(app.tree.rowThat('Ripen', 'Completed')).toBeVisible();
  await app.tree.open('Ripen');
  await app.terminals.toggle();
  await expect(app.terminals.screen).toBeVisible();
  await app.terminals.button('Open a terminal').click();
  await app.page.getByRole('menuitem', { name: 'Where “Ripen” works' }).click();
  await expect(app.terminals.tabs).toHaveCount(2);
  await expect(app.terminals.screen.getByRole('textbox')).toBeFocused();
  await app.terminals.type('cat ripe.txt');
  await expect(app.terminals.screen).toContainText('ripe');
  await app.terminals.button('Open a terminal').click();
  await app.page.getByRole('menuitem', { name: 'orchard' }).click();
  await expect(app.terminals.tabs).toHaveCount(3);
  await expect(app.terminals.screen.getByRole('textbox')).toBeFocused();
  await app.terminals.type('cat src/apple.js');
  await expect(app.terminals.screen).toContainText('export const apple');
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), colorScheme).toEqual([]);
  }
});

test('what a program prints into a terminal draws and does nothing else (B30)', async ({ app, place }) => {
  const title = await app.page.title();
  place.write(
    'bad.txt',
    '\u001b]0;XSS\u0007\u001b]52;c;WFNT\u0007\u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007<img src=x>',
  );
  await app.terminals.toggle();
  await expect(app.terminals.screen).toBeVisible();
  await app.terminals.type('cat bad.txt; echo; echo do"ne"');
  await expect(app.terminals.screen).toContainText('done');
  await expect(app.terminals.screen).toContainText('<img src=x>');
  await expect(app.terminals.screen.locator('img, a')).toHaveCount(0);
  expect(await app.page.title()).toBe(title);
  expect(await app.page.evaluate(() => navigator.clipboard.readText())).toBe('');
});

test.describe('without a project', () => {
  test.use({ attached: false });

  test('no terminal can be opened, and the panel says what it needs', async ({ app }) => {
    await app.terminals.toggle();
    await expect(app.terminals.root).toContainText('A terminal needs a project.');
  });
});
