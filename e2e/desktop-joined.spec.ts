import { DesktopProcess } from './electron-stand-in/desktop-process.ts';
import { CoreProcess } from './fixtures/core-process.ts';
import { expect, openDesk, task, test, until } from './fixtures/desk.ts';
import { held, script } from './fixtures/scripts.ts';

test('while another process hosts the core, the desktop shows, tells and steers it all the same; when that goes, it takes its place (D2)', async ({
  ready,
  place,
  model,
}) => {
  const core = await CoreProcess.start(ready);
  const { project_id } = await core.client.projects.add({ path: place.project });
  const desktop = await DesktopProcess.start(ready);
  const desk = await openDesk(desktop);
  expect((await desktop.seen()).windows).toMatchObject([{ url: 'app://espalier/' }]);

  model.setScript(script(held('Pick the apples', 'apples', 'Three baskets.'), held('Pick the pears', 'pears', 'Two.')));
  const dispatch = async (title: string, label: string, client_token: string): Promise<void> => {
    const batch = { version: 1, title, tasks: [task(label)] };
    await core.client.batches.dispatch({ project_id, conversation_id: null, batch, client_token });
  };
  await desktop.do({ type: 'focus', focused: false });
  await dispatch('Harvest', 'Pick the apples', 'one');
  await model.waitForGate('apples');
  await until(desktop, ({ tray, awake }) => [tray?.icon, tray?.menu[0]?.label, awake], [
    'working',
    'Harvest: 0 of 1 ended',
    true,
  ]);
  model.release('apples');
  await until(desktop, ({ notifications }) => notifications, [
    { title: 'set 1: Harvest has ended', body: '1 completed' },
  ]);
  await desktop.do({ type: 'click_notification', index: 0 });
  await expect(desk.tree.rowThat('Pick the apples', 'Completed')).toContainText('Three baskets.');
  await desktop.do({ type: 'click_menu', path: ['help', 'Copy Diagnostics'] });
  await until(desktop, ({ clipboard }) => clipboard.includes('Core: hosted by another process'), true);

  await dispatch('More', 'Pick the pears', 'two');
  await model.waitForGate('pears');
  await core.end();
  await desk.untilLive();
  model.release('pears');
  await desk.sidebar.open('More');
  await expect(desk.tree.rowThat('Pick the pears', 'Completed')).toContainText('Two.');
  await until(desktop, ({ tray }) => tray?.icon, 'idle');
  await desktop.do({ type: 'click_menu', path: ['help', 'Copy Diagnostics'] });
  await until(desktop, ({ clipboard }) => /^Core: \d+ of/m.test(clipboard), true);
  await desktop.end();
});
