import { axeFindings } from './fixtures/axe.ts';
import { call, held, holdAt, script, talk } from './fixtures/scripts.ts';
import { expect, test } from './fixtures/test.ts';
import type { App } from './pages/app.ts';

const HOSTILE = `<img src=x onerror="document.title='XSS'"> [a](javascript:alert(1)) safe\u202Egnp.exe`;

async function expectNothingFound(app: App, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect.soft(await axeFindings(app.page), `${screen}, ${colorScheme}`).toEqual([]);
  }
}

async function expectOnlyText(app: App): Promise<void> {
  await expect(app.inspector.panel.locator('img, iframe, script, a[href^="javascript:"]')).toHaveCount(0);
  expect(await app.page.title()).not.toContain('XSS');
}

const batch = (...tasks: object[]) => ({ version: 1, title: 'Harvest', defaults: { permission: 'auto' }, tasks });

test('the Prompt tab shows what was sent, exactly, per attempt: system, messages, tools; found and copied; foreign text stays text (B31)', async ({
  app,
  model,
  start,
}) => {
  model.setScript(script(talk('Pick the apples', 'Picked.')));
  const trees = Array.from({ length: 30 }, (_, at) => `From tree ${at}.`);
  const context = ['Only the ripe ones.', ...trees, 'Leave the windfalls.'].join('\n');
  await start(batch({ goal: `Pick the apples ${HOSTILE}`, label: 'Pick the apples', context }));
  await expect(app.tree.rowThat('Pick the apples', 'Completed')).toBeVisible();
  await app.tree.open('Pick the apples');
  await app.inspector.show('Prompt');
  const { panel } = app.inspector;
  await expect(panel.getByRole('region', { name: 'User' })).toContainText('Pick the apples <img src=x');
  await expect(panel).toContainText('scripted/scripted-model');
  const system = panel.getByRole('region', { name: 'System prompt' });
  await expect(system).not.toContainText('Leave the windfalls.');
  await system.getByRole('button', { name: /^Show \d+ more lines$/ }).click();
  await expect(system).toContainText('Leave the windfalls.');
  await panel.getByRole('button', { name: /^bash Runs/ }).click();
  await expect(panel).toContainText('"type": "object"');
  await expectOnlyText(app);

  await panel.getByRole('textbox', { name: 'Find in what was sent' }).fill('ripe ones');
  await expect(panel.getByRole('status')).toHaveText('1 match');
  await app.page.keyboard.press('Enter');
  await expect(panel.getByRole('status')).toHaveText('1 of 1');
  await panel.getByRole('textbox', { name: 'Find in what was sent' }).fill('From tree');
  await expect(panel.getByRole('status')).toHaveText('30 matches');
  await panel.getByRole('button', { name: 'Next match' }).click();
  await panel.getByRole('button', { name: 'Next match' }).click();
  await expect(panel.getByRole('status')).toHaveText('2 of 30');
  await panel.getByRole('button', { name: 'Copy all as JSON' }).click();
  const clipboard = (): Promise<string> => app.page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(clipboard).toMatch(/^\{[^]*\}$/);
  const copied = JSON.parse(await clipboard()) as {
    system: string;
    tools: { name: string }[];
  };
  const body = model.requests[0]?.body as { tools: { name: string }[] };
  expect(copied.tools.map(({ name }) => name)).toEqual(body.tools.map(({ name }) => name));
  expect(copied.system).toContain('Only the ripe ones.');
  await expectNothingFound(app, 'prompt');
});

test('the Process tab measures the processes of a live run as a tree, and shows attempts and the proof of its end', async ({
  app,
  model,
  start,
}) => {
  model.setScript(
    script(talk('Pick the apples', call('bash', { command: 'sleep 314 --token=sk-canary12345678 || sleep 315' }))),
  );
  await start(batch({ goal: 'Pick the apples', label: 'Pick the apples' }));
  await app.tree.open('Pick the apples');
  await app.inspector.show('Process');
  const { panel } = app.inspector;
  await expect(panel.getByRole('table')).toContainText('sleep 315');
  await expect(panel.getByRole('table')).toContainText(/\d+ MB/);
  await expect(panel.getByRole('row').nth(2)).toBeVisible();
  await expect(panel).not.toContainText('canary');
  await expect(panel.getByRole('region', { name: 'Attempts' })).toContainText('at work');
  await expectNothingFound(app, 'process');
  await app.inspector.stop.click();
  await expect(panel.getByRole('region', { name: 'End' })).toContainText('Proved by');
  await expect(panel).toContainText('No process of it runs.');
});

test('changes are shown inline and side by side; a line is quoted in a message to the run, and heard by it', async ({
  app,
  model,
  place,
  start,
}) => {
  place.write('src/apple.js', "export const apple = 'red';\nexport const pear = 1;\n");
  model.setScript(
    script(
      talk(
        'Paint the apples',
        call('read', { path: 'src/apple.js' }),
        call('edit', { path: 'src/apple.js', old_string: "'red'", new_string: "'green'" }),
        call('write', { path: '<img src=x>.txt', content: HOSTILE }),
        holdAt('painting', 'Painted.'),
        'Red was right: I change it back.',
      ),
    ),
  );
  await start(batch({ goal: 'Paint the apples', label: 'Paint the apples' }));
  await model.waitForGate('painting');
  await app.tree.open('Paint the apples');
  await app.inspector.show('Changes');
  const { panel } = app.inspector;
  await expect(panel).toContainText("export const apple = 'green';");
  await expect(panel.locator('.diff span[style]').first()).toBeVisible();
  await panel.getByRole('radio', { name: 'Side by side' }).click();
  await expect(panel.getByRole('group', { name: 'Changes of src/apple.js' })).toContainText("'red'");
  await expectOnlyText(app);
  await expectNothingFound(app, 'changes side by side');
  await panel.getByRole('radio', { name: 'Inline' }).click();

  const changes = panel.getByRole('group', { name: 'Changes of src/apple.js' });
  const clipboard = (): Promise<string> => app.page.evaluate(() => navigator.clipboard.readText());
  await panel.getByRole('button', { name: 'Copy as patch' }).click();
  await expect.poll(clipboard).toContain("+export const apple = 'green';");
  const file = panel.getByRole('list', { name: 'Changed files' }).getByRole('button', { name: /^src\/apple\.js/ });
  await file.click();
  await expect(changes).toBeHidden();
  await file.click();
  await expect(changes).toBeVisible();

  await changes.getByRole('button', { name: 'Comment on line 1' }).last().click();
  await expect(app.inspector.steerBox).toBeFocused();
  await expect(app.inspector.steerBox).toHaveValue("src/apple.js:1\n> export const apple = 'green';\n");
  await app.page.keyboard.type('Red was right.');
  await app.page.keyboard.press('Enter');
  await expect(app.inspector.steer('Red was right.')).toContainText('queued, next safe boundary');
  model.release('painting');
  await expect(app.tree.rowThat('Paint the apples', 'Completed')).toBeVisible();
  expect(model.requests.some(({ body }) => JSON.stringify(body).includes('src/apple.js:1'))).toBe(true);
});

test('Undo puts a file back, and is refused with the reason once it has changed since', async ({
  app,
  model,
  place,
  start,
}) => {
  model.setScript(
    script(
      talk(
        'Paint the apples',
        call('read', { path: 'src/apple.js' }),
        call('edit', { path: 'src/apple.js', old_string: 'red', new_string: 'green' }),
        call('write', { path: 'note.txt', content: 'painted\n' }),
        'Painted.',
      ),
    ),
  );
  const before = place.read('src/apple.js');
  await start(batch({ goal: 'Paint the apples', label: 'Paint the apples' }));
  await expect(app.tree.rowThat('Paint the apples', 'Completed')).toBeVisible();
  await app.tree.open('Paint the apples');
  await app.inspector.show('Changes');
  await app.inspector.choose('Actions on src/apple.js', 'Copy path');
  await expect.poll(() => app.page.evaluate(() => navigator.clipboard.readText())).toBe('src/apple.js');
  await app.inspector.choose('Actions on src/apple.js', 'Undo');
  await expect(app.inspector.panel).toContainText('Put back as it was before the run.');
  expect(place.read('src/apple.js')).toBe(before);
  place.write('note.txt', 'by a person\n');
  await app.inspector.choose('Actions on note.txt', 'Undo');
  await expect(app.inspector.panel.getByRole('alert')).toContainText('has changed since');
  expect(place.read('note.txt')).toBe('by a person\n');
});

test.describe('with an editor in the settings', () => {
  test.use({ settings: { editor: ['sh', '-c', 'printf "%s" "$1" > "$HOME/edited"', 'editor', '{path}:{line}'] } });

  test('a changed file opens in the editor at its first changed line, and a terminal where the run works', async ({
    app,
    model,
    place,
    start,
  }) => {
    model.setScript(script(talk('Write a note', call('write', { path: 'a note.txt', content: 'x\n' }), 'Done.')));
    await start(batch({ goal: 'Write a note', label: 'Write a note' }));
    await expect(app.tree.rowThat('Write a note', 'Completed')).toBeVisible();
    await app.tree.open('Write a note');
    await app.inspector.show('Changes');
    await app.inspector.choose('Actions on a note.txt', 'Open in editor');
    await expect.poll(() => place.read('../edited')).toBe(`${place.project}/a note.txt:1`);
    await expect(app.toast(/^Opened in/)).toBeVisible();
    await app.inspector.button('Open a terminal here').click();
    await expect(app.terminals.screen).toBeVisible();
  });
});

test('a transcript is copied whole and an entry alone; a run, a set and a conversation are exported as files', async ({
  app,
  model,
  start,
}) => {
  model.setScript(
    script(
      talk(
        'Pick the apples',
        [{ text: 'First I look.\n\n```js\nconst baskets = 3;\n```\n' }, call('ls', { path: '.' })],
        'Three baskets.',
      ),
    ),
  );
  await start(batch({ goal: 'Pick the apples', label: 'Pick the apples' }));
  await expect(app.tree.rowThat('Pick the apples', 'Completed')).toBeVisible();
  await app.tree.open('Pick the apples');
  const clipboard = (): Promise<string> => app.page.evaluate(() => navigator.clipboard.readText());
  await app.inspector.choose('More actions', 'Copy the transcript');
  await expect(app.toast('The transcript was copied')).toBeVisible();
  const whole = await clipboard();
  for (const part of ['Pick the apples', 'First I look.', 'Three baskets.']) expect(whole).toContain(part);
  await app.inspector.panel.getByText('Three baskets.').hover();
  await app.inspector.button('Copy this entry').last().click();
  await expect.poll(clipboard).toBe('Three baskets.');
  await app.inspector.button('Copy code').click();
  await expect.poll(clipboard).toMatch(/^const baskets = 3;\n?$/);
  for (const [item, ending] of [
    ['Export as Markdown', 'md'],
    ['Export as JSON', 'json'],
    ['Export as a web page', 'html'],
  ] as const) {
    const saved = app.page.waitForEvent('download');
    await app.inspector.choose('More actions', item);
    expect((await saved).suggestedFilename()).toMatch(new RegExp(`^run_.*\\.${ending}$`));
  }
});

test('the tabs are walked by arrow keys, and what is shown outlives a reload', async ({ app, model, start }) => {
  model.setScript(script(held('Pick the apples', 'apples')));
  await start(batch({ goal: 'Pick the apples', label: 'Pick the apples' }));
  await app.tree.open('Pick the apples');
  await app.inspector.show('Transcript');
  for (const tab of ['Result', 'Changes', 'Prompt', 'Process']) {
    await app.page.keyboard.press('ArrowRight');
    await expect(app.inspector.root.getByRole('tab', { name: tab })).toBeFocused();
    await expect(app.inspector.root.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
  }
  await app.reload();
  await expect(app.inspector.root.getByRole('tab', { name: 'Process' })).toHaveAttribute('aria-selected', 'true');
});
