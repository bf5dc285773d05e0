import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, protocol } from 'electron';
import { LINK_SCHEME, readArguments, readLink, type LaunchRequest } from '../core/host/desktop/launch.ts';
import { HostPath } from '../core/host/place/host-path.ts';
import { systemClock } from '../core/kit/clock.ts';
import { coreAccess, desktopHome, type HostedDesktop } from './core-access.ts';
import { mendCrashes } from './crashes.ts';
import { Desktop, openKeyStore } from './desktop.ts';
import { Life } from './life.ts';
import { openCore } from './open-core.ts';
import { APP_SCHEME, APP_URL } from './own-page.ts';
import { answerPage } from './page-bridge.ts';
import { servePageFile } from './page-files.ts';
import { unpackedRoot } from './package-root.ts';
import { listenToPower } from './power.ts';
import { AppTray } from './tray.ts';
import { Windows } from './windows.ts';

/** Exit status for a fault of the environment (cli.md). */
const ENVIRONMENT = 3;
const SAFE_MODE = '--safe-mode';
/** Words of the command line that start the app itself: the binary and, unpackaged, the app's folder. */
const OWN_WORDS = app.isPackaged ? 1 : 2;

const home = desktopHome();
const root = unpackedRoot(app.getAppPath());
const assets = join(root, 'assets');
const safeMode = process.argv.includes(SAFE_MODE);

// Chromium's own files stay with our data; the lock below is then one for each data folder.
const profile = join(home, 'desktop');
mkdirSync(profile, { recursive: true, mode: 0o700 });
app.setPath('userData', profile);
if (safeMode) app.disableHardwareAcceleration();
protocol.registerSchemesAsPrivileged([
  { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
]);

/** What was asked for before there is a window to show it. */
const early: LaunchRequest[] = readArguments(process.argv, OWN_WORDS, process.cwd());
let opener = (request: LaunchRequest): void => void early.push(request);
let showWindow = (): void => undefined;

if (app.requestSingleInstanceLock()) {
  // A second start hands over what it was asked for, and ends (one data folder, one desktop).
  app.on('second-instance', (_event, argv, folder) => {
    showWindow();
    for (const request of readArguments(argv, OWN_WORDS, folder)) opener(request);
  });
  // macOS names files and links by events, which may come before the app is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    opener({ type: 'path', path });
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const request = readLink(url);
    if (request !== null) opener(request);
  });
  void app.whenReady().then(start).catch(fail);
} else {
  app.quit();
}

async function start(): Promise<void> {
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  const shell = { environment: process.env, platform: process.platform, clock: systemClock, ask: 'always' as const };
  const path = await HostPath.open(shell);
  const { environment } = path;
  const keys = openKeyStore(profile, environment);
  const opened = await openCore(coreAccess({ home, packageRoot: root, version: app.getVersion(), environment, path }));
  if (!opened.ok) return fail(new Error(opened.error.message));
  const desktop = opened.value;
  const core = desktop.type === 'hosted' ? desktop.core : null;
  if (core !== null) keys.tellCore(core.giveKey);
  const page = { url: desktop.type === 'hosted' ? APP_URL : desktop.url, stateFile: join(profile, 'window.json') };
  const preload = core === null ? null : join(import.meta.dirname, 'preload.cjs');
  const windows = new Windows(
    { ...page, preload },
    () => life.isQuitting,
    () => life.lastWindowCloses(),
  );
  const tray = openTray(core, windows);
  const life = new Life({
    hasTray: tray !== null,
    toldFile: join(profile, 'told-of-tray'),
    closesToTray: () => core?.settings().desktop.closeToTray ?? false,
    facts: async () => (await core?.quitFacts()) ?? { atWork: 0, queued: 0, asks: 0 },
    stay: () => windows.hideAll(),
    close: async (how) => (core === null ? desktop.core.close(how) : core.close(how)),
  });
  const restart = (safe: boolean): void => {
    const args = process.argv.slice(1).filter((word) => word !== SAFE_MODE);
    app.relaunch({ args: safe ? [...args, SAFE_MODE] : args });
    app.quit();
  };
  const shown = new Desktop({ core, windows, tray, place: { home, assets, safeMode, keys }, restart });
  if (core !== null) {
    protocol.handle(APP_SCHEME, (request) => servePageFile(join(root, 'dist', 'renderer'), request));
    answerPage({
      servePort: (port) => core.servePort(port),
      hear: (contents, fact) => windows.hear(contents, fact),
      keys,
    });
    listenToPower({
      suspended: () => core.suspended(),
      resumed: () => core.resumed(),
      shutsDown: () => life.quitNow(),
    });
  }
  mendCrashes(restart);
  windows.show();
  await shown.start();
  showWindow = () => void windows.show();
  app.on('activate', showWindow);
  opener = (request) => void shown.open(request);
  for (const request of early.splice(0)) opener(request);
}

/** The tray; null where the system has none. */
function openTray(core: HostedDesktop | null, windows: Windows): AppTray | null {
  try {
    return new AppTray(join(assets, 'tray'), {
      open: () => windows.show(),
      openConversation: (conversation_id) =>
        windows.command({ type: 'open_node', conversation_id, delegation_id: null, run_id: null }),
      pause: (paused) => void (paused ? core?.client.runs.pause({ id: null }) : core?.client.runs.resume({ id: null })),
      quit: () => app.quit(),
    });
  } catch {
    return null;
  }
}

function fail(error: unknown): void {
  dialog.showErrorBox('Espalier cannot start', error instanceof Error ? error.message : String(error));
  app.exit(ENVIRONMENT);
}
