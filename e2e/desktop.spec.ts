import { writeFileSync } from 'node:fs';
import { DesktopProcess } from './electron-stand-in/desktop-process.ts';
import type { Order, Seen } from './electron-stand-in/seen.ts';
import { endLeftovers } from './fixtures/leftover-processes.ts';
import { call, held, holdAt, script, talk } from './fixtures/scripts.ts';
import { expect, test as base } from './fixtures/test.ts';
import { App } from './pages/app.ts';

const MODEL = 'scripted/scripted-model';

interface Started {
  readonly desktop: DesktopProcess;
  readonly desk: App;
  readonly dispatch: (title: string, ...tasks: object[]) => Promise<{ conversation_id: string; run_ids: string[] }>;
}

/** The app in the Electron stand-in, by the same page objects as in the browser. */
const test = base.extend<Started>({
  desktop: async ({ place, model }, use) => {
    const provider = {
      kind: 'anthropic',
      baseUrl: `${model.url}/v1`,
      models: { 'scripted-model': { contextWindow: 200_000 } },
    };
    place.writeSettings({ defaultModel: MODEL, providers: { scripted: provider } });
    const desktop = await DesktopProcess.start(place);
    try {
      await use(desktop);
      if (desktop.isAlive) await desktop.stopEverything();
      await desktop.end();
    } finally {
      const left = await endLeftovers(place.userHome);
      if (left.length > 0) throw new Error(`left running after the test:\n${left.join('\n')}`);
    }
  },
  desk: async ({ desktop, place }, use) => {
    await desktop.page.setViewportSize({ width: 1440, height: 900 });
    await desktop.client.projects.add({ path: place.project });
    const desk = new App(desktop.page);
    await desk.untilLive();
    await use(desk);
  },
  dispatch: async ({ desktop, place, desk: _ }, use) => {
    const { project_id } = await desktop.client.projects.add({ path: place.project });
    let count = 0;
    await use(async (title, ...tasks) =>
      desktop.client.batches.dispatch({
        project_id,
        conversation_id: null,
        batch: { version: 1, title, defaults: { permission: 'auto' }, tasks },
        client_token: `desk-${(count += 1)}`,
      }),
    );
  },
});

const task = (label: string): object => ({ goal: `${label} and count the baskets`, label });
const until = async (desktop: DesktopProcess, what: (seen: Seen) => unknown, value: unknown): Promise<void> =>
  expect.poll(async () => what(await desktop.seen()), { timeout: 15_000 }).toEqual(value);
const away: Order = { type: 'focus', focused: false };

test('the main job: a set runs in the desktop, is steered, stopped and reloaded, by the page objects of the browser', async ({
  desk,
  desktop,
  dispatch,
  model,
}) => {
  model.setScript(script(talk('Pick the apples', holdAt('apples'), 'Three baskets.'), held('Pick the pears', 'pears')));
  await dispatch('Harvest', task('Pick the apples'), task('Pick the pears'));
  await desk.sidebar.open('Harvest');
  await model.waitForGate('apples');
  await model.waitForGate('pears');
  await until(desktop, ({ tray }) => tray?.icon, 'working');
  expect((await desktop.seen()).awake).toBe(true);
  await desk.tree.open('Pick the apples');
  await desk.inspector.steerBox.fill('Leave the low branches');
  await desk.page.keyboard.press('Enter');
  await expect(desk.inspector.steer('Leave the low branches')).toContainText('queued');
  await desk.tree.stop('Pick the pears');
  await expect(desk.tree.rowThat('Pick the pears', 'Stopped')).toBeVisible();
  await desk.reload();
  model.release('apples');
  await expect(desk.tree.rowThat('Pick the apples', 'Completed')).toContainText('Three baskets.');
  await until(desktop, ({ awake }) => awake, false);
});

test('a set that ends away from the screen is told once, and a click opens exactly it (B33)', async ({
  desk,
  desktop,
  dispatch,
  model,
}) => {
  model.setScript(script(talk('Pick the apples', 'Three baskets.')));
  await desktop.do(away);
  await dispatch('Harvest', task('Pick the apples'));
  await until(desktop, ({ notifications }) => notifications, [
    { title: 'set 1: Harvest has ended', body: '1 completed' },
  ]);
  await desktop.do({ type: 'click_notification', index: 0 });
  await expect(desk.heading).toContainText('Harvest');
  expect((await desktop.seen()).windows[0]).toMatchObject({ visible: true, focused: true });
});

test('the tray lists what works, pauses and resumes everything, and opens a conversation', async ({
  desk,
  desktop,
  dispatch,
  model,
}) => {
  model.setScript(script(held('Pick the apples', 'apples')));
  await dispatch('Harvest', task('Pick the apples'));
  await model.waitForGate('apples');
  await until(desktop, ({ tray }) => tray?.menu[0]?.label, 'Harvest: 0 of 1 ended');
  await desktop.do({ type: 'click_tray', label: 'Harvest: 0 of 1 ended' });
  await expect(desk.heading).toContainText('Harvest');
  await desktop.do({ type: 'click_tray', label: 'Pause everything' });
  await until(desktop, ({ tray }) => tray?.menu.map(({ label }) => label).includes('Resume everything'), true);
  await desktop.do({ type: 'click_tray', label: 'Resume everything' });
  await until(desktop, ({ tray }) => tray?.menu.map(({ label }) => label).includes('Pause everything'), true);
  model.release('apples');
  await until(desktop, ({ tray }) => tray?.icon, 'idle');
});

test('closing stays in the tray and says so once; opening from the tray shows the same page', async ({
  desk,
  desktop,
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
});

test('quitting with work asks; cancel and stay keep it, stop all and quit leaves nothing', async ({
  desktop,
  dispatch,
  model,
}) => {
  model.setScript(script(held('Pick the apples', 'apples')));
  await dispatch('Harvest', task('Pick the apples'));
  await model.waitForGate('apples');
  const asked = async (count: number, button: string): Promise<void> => {
    await desktop.do({ type: 'quit' });
    await until(desktop, ({ dialogs }) => dialogs.length, count);
    await desktop.do({ type: 'answer', button });
    // The last one ends it: nobody is there to be looked at.
    if (button !== 'Stop All and Quit') await until(desktop, ({ answering }) => answering, false);
  };
  await asked(1, 'Cancel');
  await asked(2, 'Stay in the Tray');
  await until(desktop, ({ windows }) => windows.map(({ visible }) => visible), [false]);
  expect((await desktop.seen()).dialogs[0]?.message).toBe('1 run is not done yet.');
  await asked(3, 'Stop All and Quit');
  expect(await desktop.ended()).toBe(0);
});

test('links, files, folders and a second start open what they name', async ({
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
  const file = place.fileToDrop('pears.espalier', 'version: 1\ntasks:\n  - goal: Pick the pears\n');
  await desktop.do({ type: 'second_instance', argv: ['electron', '.', file], folder: place.userHome });
  await expect(desk.page.getByText('Pick the pears').first()).toBeVisible();
});

test('the menu: recent projects, batch, settings, logs; diagnostics hold no key', async ({ desk, desktop, place }) => {
  await until(desktop, ({ recent }) => recent, [place.project]);
  await desktop.do({ type: 'click_menu', path: ['View', 'Command Palette…'] });
  await expect(desk.page.getByRole('dialog')).toBeVisible();
  await desk.page.keyboard.press('Escape');
  await desktop.do({ type: 'click_menu', path: ['help', 'Open Log Folder'] });
  await desktop.do({ type: 'click_menu', path: ['help', 'Copy Diagnostics'] });
  await until(desktop, ({ clipboard }) => clipboard.startsWith('Espalier '), true);
  const { clipboard, opened } = await desktop.seen();
  expect(clipboard).not.toContain(place.userHome);
  expect(opened).toEqual([`${place.dataFolder}/logs`]);
});

test('a page that crashes is loaded again and loses nothing; sleep and wake are survived', async ({
  desk,
  desktop,
  dispatch,
  model,
}) => {
  model.setScript(script(held('Pick the apples', 'apples', 'Three baskets.')));
  await dispatch('Harvest', task('Pick the apples'));
  await desk.sidebar.open('Harvest');
  await desktop.do({ type: 'crash_page' });
  await desk.untilLive();
  await desktop.do({ type: 'power', event: 'suspend' });
  await desktop.do({ type: 'power', event: 'resume' });
  model.release('apples');
  await expect(desk.tree.rowThat('Pick the apples', 'Completed')).toContainText('Three baskets.');
});

test('what waits for a permission is told at once and shown by the tray and the badge', async ({
  desktop,
  dispatch,
  model,
  place,
}) => {
  writeFileSync(`${place.project}/a.txt`, 'a');
  model.setScript(script(talk('Prune the tree', [call('bash', { command: 'echo pruned' })], 'Done.')));
  await desktop.do(away);
  await dispatch('Pruning', { ...task('Prune the tree'), permission: 'ask' });
  await until(desktop, ({ notifications }) => notifications.map(({ title }) => title), ['A run asks for permission']);
  await until(desktop, ({ badge, tray }) => [badge, tray?.icon], [1, 'needs_you']);
});
