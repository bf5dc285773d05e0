import { join } from 'node:path';
import { axeFindings } from './fixtures/axe.ts';
import { expect, test } from './fixtures/test.ts';
import { written } from './fixtures/written.ts';

const SECTIONS = [
  'Providers',
  'Agents',
  'Skills and servers',
  'Projects and trust',
  'Permissions',
  'Limits',
  'Notifications',
  'Storage',
  'Appearance',
  'Shortcuts',
  'About',
];

/** Limits by the names they have in the settings, with a number that is none of the defaults. */
const LIMITS = [
  ['Runs at once in a set', 'concurrencyPerSet', 4],
  ['Depth', 'maxDepth', 3],
  ['Tasks of one run', 'fanOut', 40],
  ['Tasks in one turn', 'fanOutPerTurn', 5],
  ['Turns', 'maxTurns', 77],
  ['Length of a summary', 'summaryChars', 5000],
  ['Nudge after', 'idleSeconds', 111],
  ['Silence of a tool', 'toolIdleSeconds', 222],
  ['Open request', 'openRequestSeconds', 333],
  ['Grace at a stop', 'stopGraceSeconds', 9],
  ['Money of a conversation', 'treeCostUsd', 12.5],
  ['Tokens of a conversation', 'treeTokens', 1_000_000],
  ['Money of a day', 'dayCostUsd', 25],
  ['Tokens of a day', 'dayTokens', 2_000_000],
] as const;

test.describe('every section', () => {
  test.setTimeout(600_000);
  test('axe finds nothing in any section of the settings, in light, dark and high contrast, and at 200 % zoom', async ({
    app,
    place,
  }) => {
    place.write('espalier.json', '{}');
    await app.settings.open();
    for (const name of SECTIONS) {
      await app.settings.go(name);
      for (const [colorScheme, contrast] of [
        ['light', 'no-preference'],
        ['dark', 'no-preference'],
        ['dark', 'more'],
      ] as const) {
        await app.page.emulateMedia({ colorScheme, contrast, reducedMotion: 'reduce' });
        await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
        expect.soft(await axeFindings(app.page), `${name}, ${colorScheme}, ${contrast}`).toEqual([]);
      }
    }
    await app.page.setViewportSize({ width: 720, height: 450 });
    for (const name of SECTIONS) {
      await app.settings.go(name);
      const over = await app.settings.root.evaluate((root) =>
        [...root.querySelectorAll('.settings-page')].some((page) => page.scrollWidth > page.clientWidth),
      );
      expect.soft(over, `${name} at 200 %`).toBe(false);
    }
  });
});

test('by keyboard alone: a setting is found, changed, reset, and the focus is back where it was', async ({
  app,
  place,
}) => {
  const { keyboard } = app.page;
  await app.composer.box.focus();
  await app.settings.open();
  await expect(app.settings.search).toBeFocused();
  await keyboard.type('no such setting');
  await app.settings.button('Clear the search').press('Enter');
  await expect(app.settings.search).toHaveValue('');
  await app.settings.search.focus();
  await keyboard.type('runs at once');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  const field = app.settings.field('Runs at once');
  await expect(field).toBeFocused();
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('900');
  await expect(app.settings.root.getByRole('alert')).toBeVisible();
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('7');
  await keyboard.press('Enter');
  const reset = app.settings.button('Reset Runs at once to its default');
  await expect(reset).toBeVisible();
  await expect.poll(() => written(place.dataFolder, 'settings.json')).toMatchObject({ limits: { concurrency: 7 } });
  await expect(app.page.getByRole('banner')).toContainText('0 of 7');
  await reset.press('Enter');
  await expect(reset).toBeHidden();
  await expect(field).toHaveValue('10');
  await expect.poll(() => written(place.dataFolder, 'settings.json')).toMatchObject({ limits: {} });
  await keyboard.press('Escape');
  await expect(app.settings.root).toBeHidden();
  await expect(app.composer.box).toBeFocused();
});

test('the palette leads to a section; how long things are kept is written', async ({ app, place }) => {
  await app.typeInPalette('settings storage');
  await app.page.keyboard.press('Enter');
  await expect(app.settings.section('Storage')).toBeVisible();
  await app.settings.button('Data folder').click();
  await expect.poll(() => app.page.evaluate(() => navigator.clipboard.readText())).toBe(place.dataFolder);
  for (const [name, days] of [
    ['Outputs and backups', '21'],
    ['Conversations', '90'],
  ] as const) {
    await app.settings.field(name).fill(days);
    await app.settings.field(name).press('Enter');
    await expect(app.settings.button(`Reset ${name} to its default`)).toBeVisible();
  }
  await expect
    .poll(() => written(place.dataFolder, 'settings.json'))
    .toMatchObject({
      retention: { fileDays: 21, conversationDays: 90 },
    });
  await app.settings.button('Look what can go').click();
  await expect(app.settings.section('Storage')).toContainText('Nothing needs to go.');
});

test.describe('foreign text', () => {
  const nasty = `<img src=x onerror="document.title='XSS'"> safe\u202Egnp.exe`;
  test.use({
    settings: {
      agents: { odd: { runner: 'command', command: nasty, description: nasty } },
      providers: { odd: { kind: 'anthropic', headers: { 'x-secret': 'CANARY-1' }, models: { [nasty]: {} } } },
    },
  });
  test('B31, K4: descriptions, commands, models and paths stay text, hidden characters are written out, no secret is shown', async ({
    app,
    place,
  }) => {
    place.write(`.claude/agents/a<img src=x>.md`, nasty);
    const title = await app.page.title();
    await app.settings.open();
    for (const name of SECTIONS) {
      await app.settings.go(name);
      await expect(app.settings.root.locator('img, script, iframe')).toHaveCount(0);
      expect(await app.settings.root.innerText()).not.toContain('\u202E');
    }
    const agents = await app.settings.go('Agents');
    await expect(agents).toContainText('⟨U+202E⟩');
    await agents.getByRole('button', { name: 'Details of odd' }).click();
    const tools = await app.settings.go('Skills and servers');
    await tools.getByRole('combobox', { name: 'Skills of' }).selectOption('orchard');
    await expect(tools).toContainText('No skill found.');
    await app.settings.go('About');
    await app.settings.button('Settings file').click();
    await expect
      .poll(() => app.page.evaluate(() => navigator.clipboard.readText()))
      .toBe(join(place.dataFolder, 'settings.json'));
    await app.settings.button('Check now').click();
    await app.settings.button('Check again').click();
    await expect(app.settings.button('Check again')).toBeEnabled();
    await app.settings.button(/^Copy diagnostics/).click();
    const clipboard = (): Promise<string> => app.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(clipboard).toContain('Espalier diagnostics');
    const copied = await clipboard();
    expect(copied).not.toContain('CANARY');
    const providers = await app.settings.go('Providers');
    await providers.getByRole('button', { name: 'Edit provider odd' }).click();
    await expect(providers).toContainText('Headers x-secret: values not shown');
    expect(await app.page.title()).toBe(title);
  });
});

test('theme, contrast, text size and motion hold at once and after a reload', async ({ app }) => {
  const html = app.page.locator('html');
  await app.settings.open();
  const section = await app.settings.go('Appearance');
  for (const [group, choice] of [
    ['Theme', 'Light'],
    ['Contrast', 'High'],
    ['Text size', 'Large'],
    ['Motion', 'Reduced'],
  ] as const) {
    await section.getByRole('radiogroup', { name: group }).getByRole('radio', { name: choice }).click();
  }
  const expected = async (): Promise<void> => {
    await expect(html).toHaveAttribute('data-theme', 'light');
    await expect(html).toHaveAttribute('data-contrast', 'high');
    await expect(html).toHaveAttribute('data-text', 'large');
    await expect(html).toHaveAttribute('data-motion', 'reduced');
  };
  await expected();
  await app.reload();
  await expected();
  await app.settings.open();
  await app.settings.go('Appearance');
  for (const [group, choice, attribute, value] of [
    ['Theme', 'Dark', 'data-theme', 'dark'],
    ['Contrast', 'Normal', 'data-contrast', 'normal'],
    ['Text size', 'Small', 'data-text', 'small'],
  ] as const) {
    await section.getByRole('radiogroup', { name: group }).getByRole('radio', { name: choice }).click();
    await expect(html).toHaveAttribute(attribute, value);
  }
  await app.page.emulateMedia({ colorScheme: 'light' });
  await section.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Like the system' }).click();
  await expect(html).toHaveAttribute('data-theme', 'light');
});

test('notifications, permission, isolation and every limit are written, and given back to their defaults', async ({
  app,
  place,
}) => {
  await app.settings.open();
  await app.settings.go('Notifications');
  await app.settings.root.getByRole('switch', { name: 'Do not disturb' }).click();
  await expect(app.settings.root.getByRole('switch', { name: 'Do not disturb' })).toBeChecked();
  await app.settings.root.getByRole('switch', { name: 'Hide the content' }).click();
  await app.settings.root.getByRole('combobox', { name: 'Notifications of orchard' }).selectOption('Tell nothing');
  for (const name of ['Keep working in the tray', 'Keep the machine awake', 'Look for updates']) {
    await app.settings.root.getByRole('switch', { name }).click();
    await expect(app.settings.root.getByRole('switch', { name })).not.toBeChecked();
  }
  const permissions = await app.settings.go('Permissions');
  await permissions.getByRole('combobox', { name: 'Permission' }).selectOption('Edit without asking');
  await permissions.getByRole('radio', { name: 'In a worktree of their own' }).click();
  await permissions.getByRole('button', { name: 'Reset Permission to its default' }).click();
  await expect(permissions.getByRole('button', { name: 'Reset Permission to its default' })).toBeHidden();
  const read = (): unknown => written(place.dataFolder, 'settings.json');
  await expect.poll(read).toMatchObject({
    isolation: 'worktree',
    notifications: { doNotDisturb: true, hideContent: true },
    desktop: { closeToTray: false, keepAwake: false, checkForUpdates: false },
  });
  const file = read() as Record<string, object>;
  expect(Object.values((file['notifications'] as { projects: object }).projects)).toEqual(['none']);
  expect(file).not.toHaveProperty('permission');
  await permissions.getByRole('radio', { name: 'In the project folder' }).click();
  await expect.poll(() => written(place.dataFolder, 'settings.json')).toMatchObject({ isolation: 'none' });

  await app.settings.go('Limits');
  for (const [name, , value] of [...LIMITS, ['Tries again', '', 2] as const]) {
    await app.settings.field(name).fill(String(value));
    await app.settings.field(name).press('Enter');
    await expect(app.settings.root.getByRole('button', { name: `Reset ${name} to its default` })).toBeVisible();
  }
  await expect
    .poll(() => written(place.dataFolder, 'settings.json'))
    .toMatchObject({
      retries: 2,
      limits: Object.fromEntries(LIMITS.map(([, key, value]) => [key, value])),
    });
});
