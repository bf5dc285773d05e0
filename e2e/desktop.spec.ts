import { appendFileSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DesktopProcess } from './electron-stand-in/desktop-process.ts';
import { answer, away, expect, openDesk, task, test, until } from './fixtures/desk.ts';
import { call, held, holdAt, script, talk } from './fixtures/scripts.ts';
import { UpdateFeed } from './fixtures/update-feed.ts';

test('the main job in the desktop: attach, batch, watch, steer, answer, stop, reload, result, end', async ({
  desktop,
  model,
  place,
}) => {
  const prune = [call('bash', { command: 'echo pruned > pruned.txt' })];
  model.setScript(
    script(
      talk('Pick the apples', holdAt('apples'), 'Three baskets.'),
      held('Pick the pears', 'pears'),
      talk('Prune the tree', prune, 'It is pruned.'),
    ),
  );
  const desk = await openDesk(desktop);
  await desktop.client.settings.set({ key: 'desktop.closeToTray', value: false });
  await desktop.do({ type: 'choose', paths: [place.project] });
  await desk.onboarding.chooseFolder();
  await expect(desk.onboarding.root.getByText(`${basename(place.project)} attached`)).toBeVisible();
  const tasks = ['Pick the apples', 'Pick the pears', 'Prune the tree'].map(task);
  const batch = { version: 1, title: 'Harvest', defaults: { permission: 'ask' }, tasks };
  await desktop.do({ type: 'open_file', path: place.fileToDrop('harvest.espalier', JSON.stringify(batch)) });
  await expect(desk.batch.goals).toHaveCount(3);
  await desk.batch.run(1).click();
  await model.waitForGate('apples');
  await model.waitForGate('pears');
  await until(desktop, ({ tray, badge, awake }) => [tray?.icon, badge, awake], ['needs_you', 1, true]);

  await desk.tree.open('Pick the apples');
  await desk.inspector.steerBox.fill('Leave the low branches');
  await desk.page.keyboard.press('Enter');
  await expect(desk.inspector.steer('Leave the low branches')).toContainText('queued');
  await desk.inbox.open();
  await expect(desk.inbox.current).toContainText('echo pruned > pruned.txt');
  await desk.page.keyboard.press('a');
  await expect(desk.inbox.root).toContainText('Nothing waits for you.');
  await desk.page.keyboard.press('Escape');
  await expect(desk.tree.rowThat('Prune the tree', 'Completed')).toContainText('It is pruned.');
  await desk.tree.stop('Pick the pears');
  await expect(desk.tree.rowThat('Pick the pears', 'Stopped')).toBeVisible();
  await desk.reload();
  model.release('apples');
  await expect(desk.tree.rowThat('Pick the apples', 'Completed')).toContainText('Three baskets.');
  await desk.tree.open('Pick the apples');
  await desk.inspector.show('Result');
  await expect(desk.inspector.panel).toContainText('Three baskets.');
  await until(desktop, ({ awake, badge }) => [awake, badge], [false, 0]);
  // Not to the tray, as the settings say: with the last window the app ends.
  await desktop.do({ type: 'close_window' });
  expect(await desktop.ended()).toBe(0);
});

test('away from the screen: a set is told once and a click opens it, a permission at once; the tray lists, pauses, opens (B33)', async ({
  desk,
  desktop,
  dispatch,
  model,
}) => {
  const prune = [call('bash', { command: 'echo pruned' })];
  model.setScript(script(held('Pick the apples', 'apples', 'Three baskets.'), talk('Prune the tree', prune, 'Done.')));
  await desktop.do(away);
  await dispatch('Harvest', task('Pick the apples'));
  await model.waitForGate('apples');
  await until(desktop, ({ tray }) => tray?.menu[0]?.label, 'Harvest: 0 of 1 ended');
  const labels = async (label: string): Promise<void> =>
    until(desktop, ({ tray }) => tray?.menu.some((entry) => entry.label === label), true);
  await desktop.do({ type: 'click_tray', label: 'Pause everything' });
  await labels('Resume everything');
  await desktop.do({ type: 'click_tray', label: 'Resume everything' });
  await labels('Pause everything');
  model.release('apples');
  await until(desktop, ({ notifications }) => notifications, [
    { title: 'set 1: Harvest has ended', body: '1 completed' },
  ]);
  await desktop.do({ type: 'click_notification', index: 0 });
  await expect(desk.heading).toContainText('Harvest');
  await until(desktop, ({ windows: [first] }) => [first?.visible, first?.focused], [true, true]);

  await dispatch('Pruning', { ...task('Prune the tree'), permission: 'ask' });
  await until(desktop, ({ notifications }) => notifications.slice(1).map(({ title }) => title), [
    'A run asks for permission',
  ]);
  await until(desktop, ({ badge, tray }) => [badge, tray?.icon], [1, 'needs_you']);
  await desktop.do({ type: 'click_tray', label: 'Pruning: 0 of 1 ended' });
  await expect(desk.heading).toContainText('Pruning');
});

test('closing stays in the tray and says so once; quitting with work asks, cancel and stay keep it, stop all leaves nothing', async ({
  desk,
  desktop,
  dispatch,
  model,
}) => {
  await desktop.do({ type: 'close_window' });
  await until(desktop, ({ windows }) => windows.map(({ visible }) => visible), [false]);
  await desktop.do({ type: 'click_tray', label: 'Open Espalier' });
  await desktop.do({ type: 'close_window' });
  await desktop.do({ type: 'click_tray', label: null });
  const { windows, notifications } = await desktop.seen();
  expect(windows).toMatchObject([{ visible: true, focused: true, url: 'app://espalier/' }]);
  expect(notifications.map(({ title }) => title)).toEqual(['Espalier stays in the tray']);
  await expect(desk.sidebar.root).toBeVisible();

  model.setScript(script(held('Pick the apples', 'apples')));
  await dispatch('Harvest', task('Pick the apples'));
  await model.waitForGate('apples');
  await desktop.do({ type: 'quit' });
  await answer(desktop, 1, 'Cancel');
  await until(desktop, ({ answering }) => answering, false);
  await desktop.do({ type: 'click_tray', label: 'Quit' });
  await answer(desktop, 2, 'Stay in the Tray');
  await until(desktop, ({ windows: all }) => all.map(({ visible }) => visible), [false]);
  expect((await desktop.seen()).dialogs[0]?.message).toBe('1 run is not done yet.');
  await desktop.do({ type: 'quit' });
  await answer(desktop, 3, 'Stop All and Quit');
  expect(await desktop.ended()).toBe(0);
});

test('a second window with its own conversation; what is let work at quitting is picked up at the next start, in the same windows (D5)', async ({
  desk,
  desktop,
  dispatch,
  model,
  ready,
}) => {
  model.setScript(script(held('Pick the apples', 'apples', 'Three baskets.'), talk('Mow the lawn', 'It is mown.')));
  await dispatch('Lawn', task('Mow the lawn'));
  await desk.sidebar.open('Lawn');
  await dispatch('Harvest', task('Pick the apples'));
  await model.waitForGate('apples');
  await desktop.do({ type: 'click_menu', path: ['File', 'New Window'] });
  await until(desktop, ({ windows }) => windows.map(({ visible }) => visible), [true, true]);
  await expect.poll(() => desktop.pages.length).toBe(2);
  const second = await openDesk(desktop, desktop.pages[1]);
  await second.sidebar.open('Harvest');
  await expect(second.heading).toContainText('Harvest');
  await desk.reload();
  await expect(desk.heading).toContainText('Lawn');
  const [first, other] = (await desktop.seen()).windows.map(({ bounds }) => bounds);
  expect(other).toMatchObject({ x: (first?.x ?? 0) + 28 });
  await desktop.do({ type: 'quit' });
  await answer(desktop, 1, 'Quit, Let Them Work');
  expect(await desktop.ended()).toBe(0);

  const again = await DesktopProcess.start(ready);
  await expect.poll(() => again.pages.length).toBe(2);
  const desks = await Promise.all(again.pages.map((page) => openDesk(again, page)));
  const headings = () => Promise.all(desks.map(({ heading }) => heading.textContent()));
  // Pages that opened at the same time come in any order.
  await expect.poll(async () => (await headings()).sort()).toEqual(['orchard/Harvest', 'orchard/Lawn']);
  const harvest = desks[(await headings()).indexOf('orchard/Harvest')] ?? desk;
  expect((await again.seen()).windows.map(({ bounds }) => bounds)).toMatchObject([first, other]);
  model.release('apples');
  await expect(harvest.tree.rowThat('Pick the apples', 'Completed')).toContainText('Three baskets.');
  await again.do({ type: 'close_window', window: 0 });
  await expect.poll(() => again.pages).toEqual([harvest.page]);
  await until(again, ({ windows }) => windows.length, 1);
  await again.end();
});

test('links, files and a second start open what they name; every entry of the menu does what it says', async ({
  desk,
  desktop,
  dispatch,
  model,
  place,
}) => {
  model.setScript(script(talk('Pick the apples', 'Three baskets.')));
  const { run_ids } = await dispatch('Harvest', task('Pick the apples'));
  await desktop.do({ type: 'open_url', url: `espalier://run/${run_ids[0]}` });
  await expect(desk.inspector.panel).toContainText('Three baskets.');
  const menu = (...path: string[]) => desktop.do({ type: 'click_menu', path });
  const file = place.fileToDrop('pears.espalier', 'version: 1\ntasks:\n  - goal: Pick the pears\n');
  await desktop.do({ type: 'second_instance', argv: ['electron', '.', file], folder: place.userHome });
  await expect(desk.batch.goal(1)).toHaveValue('Pick the pears');
  await desk.page.keyboard.press('Escape');
  await expect(desk.batch.root).toBeHidden();

  await until(desktop, ({ recent }) => recent, [place.project]);
  await menu('View', 'Sidebar');
  await expect(desk.sidebar.root).toBeHidden();
  await menu('View', 'Sidebar');
  await expect(desk.sidebar.root).toBeVisible();
  await menu('View', 'Inspector');
  await expect(desk.inspector.root).toBeHidden();
  await menu('View', 'Inspector');
  await expect(desk.inspector.root).toBeVisible();
  for (const path of [
    ['View', 'Command Palette…'],
    ['help', 'Keyboard Shortcuts'],
  ]) {
    await menu(...path);
    await expect(desk.page.getByRole('dialog')).toBeVisible();
    await desk.page.keyboard.press('Escape');
    await expect(desk.page.getByRole('dialog')).toBeHidden();
  }
  await menu('View', 'Inbox');
  await expect(desk.inbox.root).toBeVisible();
  await desk.page.keyboard.press('Escape');
  await menu('File', 'Settings…');
  await expect(desk.settings.root).toBeVisible();
  await desk.page.keyboard.press('Escape');
  await menu('File', 'New Batch…');
  await expect(desk.batch.root).toBeVisible();
  await desk.page.keyboard.press('Escape');
  await menu('File', 'New Conversation');
  await expect(desk.composer.box).toBeVisible();
  const other = place.fileToDrop('meadow/hay.txt', 'hay').replace('/hay.txt', '');
  await desktop.do({ type: 'choose', paths: [other] });
  await menu('File', 'Attach Project…');
  await expect(desk.sidebar.entry('Projects', 'meadow')).toBeVisible();
  await until(desktop, ({ recent }) => recent[0], other);
  // The system names what is dropped; the page learns the path of it over the bridge alone.
  const glade = place.fileToDrop('glade/fern.txt', 'fern').replace('/fern.txt', '');
  await desk.page.evaluate((path) => {
    (window as unknown as { __standInPaths: Map<string, string> }).__standInPaths.set('glade', path);
  }, glade);
  await desk.drop({ paths: [glade] });
  await expect(desk.sidebar.entry('Projects', 'glade')).toBeVisible();
  const entry = `${basename(place.project)} — ${place.project}`;
  await menu('File', 'Recent Projects', entry);
  await expect(desk.heading).toContainText(basename(place.project));
  await menu('File', 'Open in New Window', entry);
  await until(desktop, ({ windows }) => windows.map(({ visible }) => visible), [true, true]);
  await menu('help', 'Open Log Folder');
  const secret = `sk-ant-api03-${'a1B2c3D4'.repeat(5)}`;
  appendFileSync(`${place.dataFolder}/logs/core.log`, `${JSON.stringify({ msg: `asked with ${secret}` })}\n`);
  await menu('help', 'Copy Diagnostics');
  await until(desktop, ({ clipboard }) => clipboard.startsWith('Espalier '), true);
  const { clipboard, opened } = await desktop.seen();
  expect(clipboard).toContain('asked with');
  expect(clipboard).not.toContain(secret);
  expect(clipboard).not.toContain(place.userHome);
  expect(opened).toEqual([`${place.dataFolder}/logs`]);
  await menu('help', 'Restart in Safe Mode');
  expect(await desktop.ended()).toBe(0);
  expect(desktop.last?.relaunched).toContain('--safe-mode');
});

test('a page may do nothing that it need not; crashes of page and graphics process, sleep and wake lose nothing', async ({
  desk,
  desktop,
  dispatch,
  model,
}) => {
  await desktop.do({ type: 'navigate', url: 'https://evil.example/', frame: false });
  await desktop.do({ type: 'navigate', url: 'app://espalier/', frame: true });
  await desktop.do({ type: 'redirect', url: 'https://evil.example/' });
  await desktop.do({ type: 'open_window', url: 'file:///etc/passwd' });
  for (const permission of ['media', 'clipboard-sanitized-write', 'notifications'])
    await desktop.do({ type: 'ask_permission', permission });
  const seen = await desktop.do({ type: 'navigate', url: 'app://espalier/index.html', frame: false });
  expect(seen.refused).toEqual([
    'will-frame-navigate https://evil.example/',
    'will-frame-navigate app://espalier/',
    'will-redirect https://evil.example/',
    'open file:///etc/passwd',
    'permission media',
    'permission notifications',
  ]);
  // Where a page wanted to go itself is opened outside; what is no web page is not.
  expect(seen.opened).toEqual(['https://evil.example/']);
  expect(seen.schemes).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);

  model.setScript(script(held('Pick the apples', 'apples', 'Three baskets.')));
  await dispatch('Harvest', task('Pick the apples'));
  await desk.sidebar.open('Harvest');
  await desktop.do({ type: 'crash', what: 'page' });
  await desk.untilLive();
  await desktop.do({ type: 'power', event: 'suspend' });
  await desktop.do({ type: 'power', event: 'resume' });
  model.release('apples');
  await expect(desk.tree.rowThat('Pick the apples', 'Completed')).toContainText('Three baskets.');
  for (let count = 0; count < 3; count += 1) await desktop.do({ type: 'crash', what: 'gpu' });
  await answer(desktop, 1, 'Restart in Safe Mode');
  expect(await desktop.ended()).toBe(0);
  expect(desktop.last?.relaunched).toContain('--safe-mode');
  expect(desktop.last?.dialogs[0]?.message).toBe('The graphics process has crashed several times.');
});

test('a newer version waits for the work, or says which runs would stop; it is put in place when they have ended', async ({
  ready,
  place,
  model,
}) => {
  const feed = await UpdateFeed.start();
  const { variables, app } = feed.writeFor(place.userHome);
  const desktop = await DesktopProcess.start(ready, { more: variables });
  await openDesk(desktop);
  model.setScript(script(held('Pick the apples', 'apples')));
  const { project_id } = await desktop.client.projects.add({ path: place.project });
  const batch = { version: 1, title: 'Harvest', tasks: [task('Pick the apples')] };
  await desktop.client.batches.dispatch({ project_id, conversation_id: null, batch, client_token: 'update' });
  await model.waitForGate('apples');
  await until(desktop, ({ awake }) => awake, true);
  await desktop.do({ type: 'click_menu', path: ['help', 'Check for Updates…'] });
  await until(desktop, ({ notifications }) => notifications.map(({ title }) => title), ['Espalier 99.0.0 is ready']);
  const restart = { type: 'click_menu', path: ['help', 'Restart to Update to 99.0.0…'] } as const;
  await desktop.do(restart);
  await answer(desktop, 1, 'Later');
  await until(desktop, ({ answering }) => answering, false);
  await desktop.do(restart);
  await answer(desktop, 2, 'Update When It Has Ended');
  expect((await desktop.seen()).dialogs[0]).toMatchObject({
    message: 'Espalier 99.0.0 is ready, and 1 run is at work.',
    detail: 'Updating now stops: Pick the apples.',
  });
  expect(readFileSync(app, 'utf8')).not.toBe(feed.content);
  model.release('apples');
  expect(await desktop.ended()).toBe(0);
  expect(readFileSync(app, 'utf8')).toBe(feed.content);
  await desktop.end();
  await feed.close();
});
