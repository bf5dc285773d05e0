import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { axeFindings } from './fixtures/axe.ts';
import { call, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';

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

const written = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

test.describe('every section', () => {
  test.setTimeout(180_000);
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
  expect(written(place.dataFolder, 'settings.json')).toMatchObject({ limits: { concurrency: 7 } });
  await expect(app.page.getByRole('banner')).toContainText('0 of 7');
  await reset.press('Enter');
  await expect(reset).toBeHidden();
  await expect(field).toHaveValue('10');
  expect(written(place.dataFolder, 'settings.json')).toMatchObject({ limits: {} });
  await keyboard.press('Escape');
  await expect(app.settings.root).toBeHidden();
  await expect(app.composer.box).toBeFocused();
});

test('the palette leads to a section', async ({ app }) => {
  await app.typeInPalette('settings storage');
  await app.page.keyboard.press('Enter');
  await expect(app.settings.section('Storage')).toBeVisible();
  await app.settings.button('Look what can go').click();
  await expect(app.settings.section('Storage')).toContainText('Nothing needs to go.');
});

test('K4: a provider is added, changed and removed; a key in place of its variable is refused, headers are not shown', async ({
  app,
  place,
}) => {
  await app.settings.open();
  const section = await app.settings.go('Providers');
  await section.getByRole('button', { name: 'Add a provider' }).click();
  await app.page.keyboard.type('acme');
  const form = section.getByRole('form', { name: 'New provider' });
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
  expect(written(place.dataFolder, 'settings.json')).toMatchObject({
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
    await app.page.keyboard.type('acme');
    const form = section.getByRole('form', { name: 'New provider' });
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
    expect(written(place.dataFolder, 'provider-keys.json')).toEqual({ version: 1, keys: { ACME_API_KEY: KEY } });
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

test('A2: what was allowed in a project is listed, and after it was taken back the same command asks again', async ({
  app,
  model,
  start,
}) => {
  model.setScript(script(talk('Saw the branch', call('bash', { command: 'echo sawn' }), 'Sawn.')));
  const batch = { version: 1, title: 'Harvest', tasks: [{ goal: 'Saw the branch', label: 'Saw the branch' }] };
  await start(batch);
  await expect(app.tree.rowThat('Saw the branch', 'Asks permission')).toBeVisible();
  await app.tree.open('Saw the branch');
  await app.inspector.ask.getByRole('button', { name: /^Always in/ }).click();
  await expect(app.tree.rowThat('Saw the branch', 'Completed')).toBeVisible();
  await app.settings.open();
  const section = await app.settings.go('Permissions');
  await expect(section).toContainText('always in orchard');
  await section.getByRole('button', { name: /^Take back: bash/ }).click();
  await expect(section).toContainText('Nothing beyond single calls');
  await app.settings.close.click();
  await start({ ...batch, title: 'Harvest again' });
  await expect(app.tree.rowThat('Saw the branch', 'Asks permission')).toBeVisible();
});

test('A4: what a project brings is trusted as it is shown, and asked again when it has changed', async ({
  app,
  place,
}) => {
  place.write('.claude/agents/reviewer.md', 'Read only.');
  await app.settings.open();
  const section = await app.settings.go('Projects and trust');
  await expect(section).toContainText('.claude/agents/reviewer.md');
  await section.getByRole('button', { name: 'Trust these files of orchard' }).click();
  await expect(section.getByRole('button', { name: 'Stop trusting orchard' })).toBeVisible();
  place.write('.claude/agents/reviewer.md', 'Write everything.');
  await app.settings.go('About');
  await app.settings.go('Projects and trust');
  await expect(section).toContainText('changed since you trusted it');
  await expect(app.sidebar.section('Projects')).toContainText('changed since you trusted it');
  await section.getByRole('button', { name: 'Trust these files of orchard' }).click();
  await section.getByRole('button', { name: 'Stop trusting orchard' }).click();
  await expect(section).toContainText('not trusted');
});

test('A4: agents are made, changed, copied and deleted; conflicts, unknown keys and what is not trusted are told, and an outside one is checked', async ({
  app,
  place,
}) => {
  place.write('.claude/agents/reviewer.md', '---\ndescription: of the project\n---\nRead.\n');
  await app.settings.open();
  const section = await app.settings.go('Agents');
  const list = section.getByRole('list', { name: 'All agents' });
  await section.getByRole('button', { name: 'New agent' }).click();
  const editor = section.getByRole('form', { name: 'New agent' });
  await editor.getByLabel('Name', { exact: true }).fill('reviewer');
  await editor.getByLabel('Description').fill('Mine: reads');
  await editor.getByLabel('Tools', { exact: true }).fill('read, Fly');
  await editor.getByLabel('Instructions').fill('Read all of it.');
  await editor.getByRole('combobox', { name: 'Permission' }).selectOption('Plan, read only');
  await editor.getByRole('combobox', { name: 'Colour' }).selectOption('cyan');
  await expect(editor).toContainText('There is no tool "Fly" here');
  await editor.getByRole('radio', { name: 'Text' }).click();
  const text = editor.getByLabel('Text of the definition');
  await expect(text).toHaveValue(/permission: plan[^]*color: cyan[^]*Read all of it\./);
  await text.fill((await text.inputValue()).replace('color:', 'colr: red\ncolor:'));
  await editor.getByRole('radio', { name: 'Form' }).click();
  await expect(editor.getByRole('list', { name: 'Does nothing here' })).toContainText('"colr" is unknown here');
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), colorScheme).toEqual([]);
  }
  await editor.getByRole('button', { name: 'Take out colr' }).click();
  await expect(editor.getByRole('list', { name: 'Does nothing here' })).toHaveCount(0);
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor).toBeHidden();
  const file = join(place.dataFolder, 'agents', 'reviewer.md');
  expect(readFileSync(file, 'utf8')).toBe(
    '---\nname: reviewer\ndescription: "Mine: reads"\ntools: [read, Fly]\npermission: plan\ncolor: cyan\n---\n\nRead all of it.\n',
  );
  const mine = list.getByRole('listitem', { name: 'reviewer', exact: true });
  await expect(mine).toContainText('Stands over: built in');

  await section.getByRole('combobox', { name: 'Agents of' }).selectOption('orchard');
  const unused = section.getByRole('list', { name: 'Files that do not count' });
  await expect(unused).toContainText('Not trusted');
  await unused.getByRole('button', { name: 'Look at it and trust' }).click();
  await app.settings.button('Trust these files of orchard').click();
  await app.settings.go('Agents');
  await section.getByRole('combobox', { name: 'Agents of' }).selectOption('orchard');
  await expect(mine).toContainText(`Stands over: ${file}, built in`);
  await expect(unused).toContainText('Another of its name comes before it.');

  await mine.getByRole('button', { name: 'Duplicate agent reviewer' }).click();
  await expect(editor.getByLabel('Name', { exact: true })).toHaveValue('reviewer-2');
  await editor.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(list).toContainText('reviewer-2');
  await expect(mine).toContainText('project agent file');
  await list.getByRole('button', { name: 'Delete agent reviewer-2' }).click();
  await section.getByRole('button', { name: 'Yes, delete the file' }).click();
  await expect(list).not.toContainText('reviewer-2');
  await expect(mine).toContainText('project agent file');

  const gemini = list.getByRole('listitem', { name: 'gemini', exact: true });
  await gemini.getByRole('button', { name: 'Details of gemini' }).click();
  await gemini.getByRole('button', { name: 'Check agent gemini' }).click();
  await expect(gemini).toContainText(/no program gemini|Found|on the PATH/i);
});

test('a key is bound, conflicts are shown, the bound key works, and ? shows it', async ({ app, place }) => {
  await app.settings.open();
  const section = await app.settings.go('Shortcuts');
  await section.getByRole('button', { name: /^Change the key of Inbox/ }).click();
  await app.page.keyboard.press('ControlOrMeta+k');
  await expect(section.getByRole('status')).toContainText('1 key is bound twice');
  await section.getByRole('button', { name: /^Change the key of Inbox/ }).click();
  await app.page.keyboard.press('ControlOrMeta+Shift+i');
  await expect(section.getByRole('status')).toHaveCount(0);
  expect(written(place.dataFolder, 'keys.json')).toEqual({ version: 1, keys: { inbox: 'mod+shift+i' } });
  await app.settings.close.click();
  await app.page.keyboard.press('ControlOrMeta+Shift+i');
  await expect(app.page.getByRole('main', { name: 'Inbox' })).toBeVisible();
  await app.reload();
  await app.heading.click();
  await app.page.keyboard.press('?');
  await expect(app.page.getByRole('dialog', { name: 'Shortcuts' })).toContainText(/Ctrl Shift I|⌘⇧I/);
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
    await app.settings.go('About');
    await app.settings.button('Check now').click();
    await app.settings.button(/^Copy diagnostics/).click();
    const copied = await app.page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('Espalier diagnostics');
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
});

test('notifications, permission and isolation are written, and given back to their defaults', async ({
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
  const file = written(place.dataFolder, 'settings.json') as Record<string, object>;
  expect(file).toMatchObject({
    isolation: 'worktree',
    notifications: { doNotDisturb: true, hideContent: true },
    desktop: { closeToTray: false, keepAwake: false, checkForUpdates: false },
  });
  expect(Object.values((file['notifications'] as { projects: object }).projects)).toEqual(['none']);
  expect(file).not.toHaveProperty('permission');
});
