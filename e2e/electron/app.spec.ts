import { join } from 'node:path';
import { _electron } from '@playwright/test';
import { connectLocal } from '../../core/host/serve/connect-local.ts';
import { expect, task, test } from '../fixtures/desk.ts';
import { held, script, talk } from '../fixtures/scripts.ts';
import { App } from '../pages/app.ts';

/** The built app in Electron itself; run where its binary is (`ESPALIER_ELECTRON`, set by `npm run e2e`). What a stand-in cannot prove. */
test('Electron itself: an isolated page without Node under its policy, workers of its own binary, the main job, an orderly end', async ({
  ready: place,
  model,
}) => {
  model.setScript(script(held('Pick the apples', 'apples', 'Three baskets.'), talk('Mow the lawn', 'It is mown.')));
  const app = await _electron.launch({
    executablePath: process.env['ESPALIER_ELECTRON'] ?? '',
    args: [join(import.meta.dirname, '../..')],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: place.userHome,
      SHELL: '/bin/sh',
      ESPALIER_HOME: place.dataFolder,
      ...pick('DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'),
    },
  });
  const page = await app.firstWindow();
  const desk = new App(page);
  await desk.untilLive();

  const found = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.inlined = true';
    document.head.append(script);
    const outcome = (tried: Promise<unknown>): Promise<string> =>
      tried.then(
        () => 'granted',
        () => 'refused',
      );
    return {
      url: location.href,
      node: ['require', 'process', 'module', 'Buffer', 'inlined'].filter((name) => name in globalThis),
      bridge: Object.keys((window as unknown as { espalier?: object }).espalier ?? {}).sort(),
      remote: await outcome(fetch('https://example.com/')),
      media: await outcome(navigator.mediaDevices.getUserMedia({ audio: true })),
      opened: window.open('file:///etc/passwd') !== null,
    };
  });
  expect(found).toEqual({
    url: 'app://espalier/',
    node: [],
    bridge: ['chooseFolder', 'keys', 'onCommand', 'pathOf', 'port', 'tell'],
    ...{ remote: 'refused', media: 'refused', opened: false },
  });
  const connected = await connectLocal(place.dataFolder, 'test');
  if (!connected.ok) throw new Error(connected.error.message);
  const { client } = connected.value;
  const { project_id } = await client.projects.add({ path: place.project });
  const tasks = [task('Pick the apples'), task('Mow the lawn')];
  const batch = { version: 1, title: 'Harvest', tasks };
  await client.batches.dispatch({ project_id, conversation_id: null, batch, client_token: 'electron' });
  await desk.sidebar.open('Harvest');
  await expect(desk.tree.rowThat('Mow the lawn', 'Completed')).toContainText('It is mown.');
  await model.waitForGate('apples');
  await desk.tree.open('Pick the apples');
  await desk.inspector.steerBox.fill('Leave the low branches');
  await page.keyboard.press('Enter');
  await expect(desk.inspector.steer('Leave the low branches')).toContainText('queued');
  model.release('apples');
  await expect(desk.tree.rowThat('Pick the apples', 'Completed')).toContainText('Three baskets.');
  expect((await client.app.info()).at_work).toBe(0);
  connected.value.close();
  await app.close();
});

function pick(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
