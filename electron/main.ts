import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, protocol } from 'electron';
import { LINK_SCHEME, readArguments, readLink, type LaunchRequest } from '../core/host/desktop/launch.ts';
import { HostPath } from '../core/host/place/host-path.ts';
import { systemClock } from '../core/kit/clock.ts';
import { coreAccess, desktopHome, type DesktopCore } from './core-access.ts';
import { CoreLine } from './core-line.ts';
import { mendCrashes } from './crashes.ts';
import { Desktop, openKeyStore } from './desktop.ts';
import { Life } from './life.ts';
import type { KeyStore } from './key-store.ts';
import { APP_SCHEME } from './own-page.ts';
import { answerPage } from './page-bridge.ts';
import { servePageFile } from './page-files.ts';
import { unpackedRoot } from './package-root.ts';
import { listenToPower } from './power.ts';
import { AppTray } from './tray.ts';
import { openUpdater, type Updater } from './updater.ts';
import { Updates } from './updates.ts';
import { WindowMemory } from './window-memory.ts';
import { Windows } from './windows.ts';

/** Exit status for a fault of the environment (cli.md). */
const ENVIRONMENT = 3;
const SAFE_MODE = '--safe-mode';
const FIRST_LOOK_MS = 60_000;
const LOOK_EVERY_MS = 6 * 60 * 60_000;
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
  const access = coreAccess({ home, packageRoot: root, version: app.getVersion(), environment, path });
  const opened = await CoreLine.open(access);
  if (!opened.ok) return fail(new Error(opened.error.message));
  const line = opened.value;
  const { windows, shown, life, updates } = compose(line, keys, await openUpdater());
  protocol.handle(APP_SCHEME, (request) => servePageFile(join(root, 'dist', 'renderer'), request));
  answerPage({
    servePort: async (port) => (await line.whenOpen()).servePort(port),
    hear: (contents, fact) => windows.hear(contents, fact),
    keys,
  });
  listenToPower({
    suspended: () => line.core.suspended(),
    resumed: () => line.core.resumed(),
    shutsDown: () => life.quitNow({ endAll: false, install: null }),
  });
  mendCrashes(restart);
  line.onTaken((core) => shown.follow(core));
  shown.follow(line.core);
  windows.restore();
  showWindow = () => void windows.show();
  app.on('activate', showWindow);
  opener = (request) => void shown.open(request);
  for (const request of early.splice(0)) opener(request);
  lookForUpdates(shown, updates);
}

interface Parts {
  readonly windows: Windows;
  readonly shown: Desktop;
  readonly life: Life;
  readonly updates: Updates;
}

/** Joins the parts, each of which knows of the others only what it needs. */
function compose(line: CoreLine<DesktopCore>, keys: KeyStore, updater: Updater | null): Parts {
  const windows = new Windows({
    preload: join(import.meta.dirname, 'preload.cjs'),
    memory: new WindowMemory(join(profile, 'windows.json')),
    isQuitting: () => life.isQuitting,
    lastCloses: () => life.lastWindowCloses(),
    looksChanged: () => shown.looksChanged(),
  });
  const tray = openTray(line, windows);
  const updates: Updates = new Updates({
    updater,
    work: () => shown.work(),
    changed: () => shown.setMenu(),
    quit: (ending) => life.quitNow(ending),
  });
  const shown: Desktop = new Desktop({
    core: () => line.core,
    windows,
    tray,
    place: { home, assets, safeMode },
    keys,
    restart,
    update: () => updates.state,
    checkForUpdates: () => void updates.check(true),
    restartToUpdate: () => void updates.restart(),
    workChanged: (atWork) => updates.workChanged(atWork),
  });
  const life: Life = new Life({
    hasTray: tray !== null,
    toldFile: join(profile, 'told-of-tray'),
    closesToTray: () => shown.closesToTray,
    work: () => shown.work(),
    stay: () => windows.hideAll(),
    async close({ endAll, install }) {
      const { atWork } = await shown.work();
      line.end();
      shown.stop();
      await line.core.close({ endAll });
      if (install === undefined) updates.installAtQuit(endAll ? 0 : atWork);
      else install?.();
    },
  });
  return { windows, shown, life, updates };
}

/** Looks for newer versions a little after the start, and then from time to time. */
function lookForUpdates(shown: Desktop, updates: Updates): void {
  const look = (): void => {
    if (shown.checksForUpdates) void updates.check(false);
  };
  systemClock.after(FIRST_LOOK_MS, look);
  systemClock.every(LOOK_EVERY_MS, look);
}

function restart(safe: boolean): void {
  const args = process.argv.slice(1).filter((word) => word !== SAFE_MODE);
  app.relaunch({ args: safe ? [...args, SAFE_MODE] : args });
  app.quit();
}

/** The tray; null where the system has none. */
function openTray(line: CoreLine<DesktopCore>, windows: Windows): AppTray | null {
  try {
    return new AppTray(join(assets, 'tray'), {
      open: () => windows.show(),
      openConversation: (conversation_id) =>
        windows.command({ type: 'open_node', conversation_id, delegation_id: null, run_id: null }),
      pause(paused) {
        const { runs } = line.core.client;
        (paused ? runs.pause({ id: null }) : runs.resume({ id: null })).catch(logProblem);
      },
      quit: () => app.quit(),
    });
  } catch {
    return null;
  }
}

function logProblem(error: unknown): void {
  console.error(error);
}

function fail(error: unknown): void {
  dialog.showErrorBox('Espalier cannot start', error instanceof Error ? error.message : String(error));
  app.exit(ENVIRONMENT);
}
