import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, dialog, Menu, protocol } from 'electron';
import { coreAccess, desktopHome } from './core-access.ts';
import { menuTemplate } from './menu.ts';
import { openCore } from './open-core.ts';
import { APP_SCHEME, APP_URL } from './own-page.ts';
import { answerPage } from './page-bridge.ts';
import { servePageFile } from './page-files.ts';
import { unpackedRoot } from './package-root.ts';
import { openWindow, type WindowPage } from './window.ts';

/** Exit status for a fault of the environment (cli.md). */
const ENVIRONMENT = 3;

const home = desktopHome();
const root = unpackedRoot(app.getAppPath());

// Chromium's own files stay with our data; the lock below is then one for each data folder.
const profile = join(home, 'desktop');
mkdirSync(profile, { recursive: true, mode: 0o700 });
app.setPath('userData', profile);
protocol.registerSchemesAsPrivileged([
  { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
]);

if (app.requestSingleInstanceLock()) {
  void app.whenReady().then(start).catch(fail);
} else {
  app.quit();
}

async function start(): Promise<void> {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform)));
  const opened = await openCore(coreAccess({ home, packageRoot: root, version: app.getVersion() }));
  if (!opened.ok) return fail(new Error(opened.error.message));
  const desktop = opened.value;
  const stateFile = join(profile, 'window.json');
  if (desktop.type === 'hosted') {
    protocol.handle(APP_SCHEME, (request) => servePageFile(join(root, 'dist', 'renderer'), request));
    answerPage((port) => desktop.core.servePort(port));
    keepWindow({ url: APP_URL, preload: join(import.meta.dirname, 'preload.cjs'), stateFile });
  } else {
    keepWindow({ url: desktop.url, preload: null, stateFile });
  }
  closeAtQuit(async () => desktop.core.close());
}

/** One window: opened now, brought to the front by a second start, opened again from the dock. */
function keepWindow(page: WindowPage): void {
  const show = (): void => {
    const window = BrowserWindow.getAllWindows()[0] ?? openWindow(page);
    if (window.isMinimized()) window.restore();
    if (window.isVisible()) window.focus();
  };
  app.on('second-instance', show);
  app.on('activate', show);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  show();
}

/** Quitting waits until everything is committed; workers at work go on alone and are picked up at the next start (D5). */
function closeAtQuit(close: () => Promise<void>): void {
  let state: 'open' | 'closing' | 'closed' = 'open';
  app.on('will-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'closing') return;
    state = 'closing';
    void close()
      .catch((error: unknown) => console.error(error))
      .then(() => {
        state = 'closed';
        app.quit();
      });
  });
}

function fail(error: unknown): void {
  dialog.showErrorBox('Espalier cannot start', error instanceof Error ? error.message : String(error));
  app.exit(ENVIRONMENT);
}
