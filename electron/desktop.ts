import { readFileSync } from 'node:fs';
import { release, homedir } from 'node:os';
import { join } from 'node:path';
import { app, BrowserWindow, clipboard, Menu, nativeImage, safeStorage, shell } from 'electron';
import { diagnosticsText } from '../core/host/desktop/diagnostics.ts';
import type { LaunchRequest } from '../core/host/desktop/launch.ts';
import { commandFor } from '../core/host/desktop/open-request.ts';
import { updateEntry, type UpdateState } from '../core/host/desktop/updates.ts';
import type { DesktopMessage, DesktopView, Notice, WorkNow } from '../core/protocol/desktop.ts';
import type { DesktopCore } from './core-access.ts';
import { CoreWatch } from './core-watch.ts';
import { KeyStore } from './key-store.ts';
import { dockTemplate, menuTemplate, type MenuActions } from './menu.ts';
import { showNotification } from './notifier.ts';
import { KeepAwake } from './power.ts';
import type { AppTray } from './tray.ts';
import type { Windows } from './windows.ts';

export interface DesktopParts {
  /** The core as of now. */
  core(): DesktopCore;
  readonly windows: Windows;
  readonly tray: AppTray | null;
  readonly place: { readonly home: string; readonly assets: string; readonly safeMode: boolean };
  readonly keys: KeyStore;
  restart(safeMode: boolean): void;
  update(): UpdateState;
  checkForUpdates(): void;
  restartToUpdate(): void;
  /** So many runs have a worker now. */
  workChanged(atWork: number): void;
}

const NO_WORK: WorkNow = { atWork: 0, queued: 0, asks: 0, names: [] };

/** Shows what the core decided, and does what menu, tray and links ask. */
export class Desktop {
  readonly #parts: DesktopParts;
  readonly #awake = new KeepAwake();
  readonly #watch: CoreWatch;
  #view: DesktopView | null = null;

  constructor(parts: DesktopParts) {
    this.#parts = parts;
    this.#watch = new CoreWatch({
      hear: (message) => this.#hear(message),
      looksAt: () => parts.windows.looksAt(),
    });
    this.setMenu();
  }

  /** Tells and shows what this core says from now on. */
  follow(core: DesktopCore): void {
    this.#parts.keys.tellCore(core.giveKey);
    this.#watch.follow(core.client.live);
  }

  stop(): void {
    this.#watch.stop();
  }

  /** Another conversation is on screen and focused. */
  looksChanged(): void {
    this.#watch.looksChanged();
  }

  get closesToTray(): boolean {
    return this.#view?.closeToTray ?? true;
  }

  get checksForUpdates(): boolean {
    return this.#view?.checkForUpdates ?? false;
  }

  /** What ends with this process. Of a core of another one, nothing. */
  async work(): Promise<WorkNow> {
    const core = this.#parts.core();
    return core.isOurs ? core.client.live.work() : NO_WORK;
  }

  /** Opens what a link, the file manager or another start of the app named. */
  async open(request: LaunchRequest): Promise<void> {
    this.#parts.windows.show();
    this.#parts.windows.command(await commandFor(request, this.#parts.core().client));
  }

  setMenu(): void {
    const recent = this.#view?.recent ?? [];
    const { safeMode } = this.#parts.place;
    const facts = { platform: process.platform, recent, safeMode, update: updateEntry(this.#parts.update()) };
    const actions = this.#actions();
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(facts, actions)));
    app.dock?.setMenu(Menu.buildFromTemplate(dockTemplate(recent, actions)));
  }

  /** Puts a text about app, system and log on the clipboard. */
  async copyDiagnostics(): Promise<void> {
    const { home, safeMode } = this.#parts.place;
    const core = this.#parts.core();
    const [info, projects] = await Promise.all([core.client.app.info(), core.client.projects.list()]);
    const text = diagnosticsText(
      {
        version: app.getVersion(),
        versions: process.versions,
        platform: process.platform,
        arch: process.arch,
        osVersion: release(),
        home,
        safeMode,
        keychain: this.#parts.keys.state().words,
        app: info,
        isOurs: core.isOurs,
        counts: { Projects: projects.length },
        log: readLog(join(home, 'logs', 'core.log')),
      },
      homedir(),
    );
    await clipboard.writeText(await core.redact(text));
  }

  #hear(message: DesktopMessage): void {
    if (message.type === 'notice') this.#notify(message.notice);
    else if (message.type === 'view') this.#show(message.view);
  }

  #notify({ title, body, target }: Notice): void {
    showNotification(title, body, () => this.#parts.windows.command({ type: 'open_node', ...target }));
  }

  #show(view: DesktopView): void {
    const { tray, place, workChanged } = this.#parts;
    tray?.show(view.tray);
    this.#awake.set(view.keepAwake);
    app.setBadgeCount(view.badge);
    for (const window of BrowserWindow.getAllWindows()) {
      window.setProgressBar(view.progress ?? -1);
      if (process.platform === 'win32') overlay(window, view, place.assets);
    }
    const before = this.#view?.recent ?? [];
    this.#view = view;
    workChanged(view.atWork);
    if (view.recent.join('\0') === before.join('\0')) return;
    for (const path of view.recent.toReversed()) app.addRecentDocument(path);
    this.setMenu();
  }

  #actions(): MenuActions {
    const { windows, place, restart, checkForUpdates, restartToUpdate } = this.#parts;
    return {
      runCommand: (command) => windows.command({ type: 'run_command', command }),
      newWindow: () => void windows.open(),
      openProject: (path) => void this.#openProject(path),
      openProjectInNewWindow: (path) => windows.command({ type: 'open_project', path }, windows.open()),
      openLogs: () => void shell.openPath(join(place.home, 'logs')),
      copyDiagnostics: () => void this.copyDiagnostics(),
      safeMode: () => restart(!place.safeMode),
      checkForUpdates,
      restartToUpdate,
    };
  }

  /** A project that has a window comes to the front; another one is opened in the window that is there. */
  async #openProject(path: string): Promise<void> {
    const { windows } = this.#parts;
    const known = (await this.#parts.core().client.projects.list()).find((project) => project.path === path);
    const window = known === undefined ? null : windows.ofProject(known.project_id);
    if (window === null) windows.command({ type: 'open_project', path });
    else windows.show(window);
  }
}

/** Where keys are kept, given to the core's environment as it is read. */
export function openKeyStore(profile: string, environment: Record<string, string | undefined>): KeyStore {
  const keys = new KeyStore(join(profile, 'keys.json'), safeStorage, process.platform, environment);
  keys.load();
  return keys;
}

/** Windows has no number on its icons: the state's image says that something waits. */
function overlay(window: BrowserWindow, { badge, tray }: DesktopView, assets: string): void {
  const image = badge === 0 ? null : nativeImage.createFromPath(join(assets, 'tray', `${tray.icon}.png`));
  window.setOverlayIcon(image, tray.tooltip);
}

function readLog(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(-64 * 1024);
  } catch {
    return '(none)';
  }
}
