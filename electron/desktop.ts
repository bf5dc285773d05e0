import { readFileSync } from 'node:fs';
import { release, homedir } from 'node:os';
import { join } from 'node:path';
import { app, BrowserWindow, clipboard, Menu, nativeImage, safeStorage, shell } from 'electron';
import { diagnosticsText } from '../core/host/desktop/diagnostics.ts';
import type { DesktopView } from '../core/host/desktop/desktop-facts.ts';
import type { LaunchRequest } from '../core/host/desktop/launch.ts';
import type { Notice } from '../core/host/desktop/notices.ts';
import { commandFor } from '../core/host/desktop/open-request.ts';
import type { HostedDesktop } from './core-access.ts';
import { KeyStore } from './key-store.ts';
import { menuTemplate, type MenuActions } from './menu.ts';
import { showNotification } from './notifier.ts';
import { KeepAwake } from './power.ts';
import type { AppTray } from './tray.ts';
import type { Windows } from './windows.ts';

export interface DesktopPlace {
  readonly home: string;
  readonly assets: string;
  readonly safeMode: boolean;
  readonly keys: KeyStore;
}

/** Shows what the core decided, and does what menu, tray and links ask. `core` is null when another process hosts it. */
export class Desktop {
  readonly #core: HostedDesktop | null;
  readonly #windows: Windows;
  readonly #place: DesktopPlace;
  readonly #awake = new KeepAwake();
  readonly #restart: (safeMode: boolean) => void;
  readonly #tray: AppTray | null;
  #recent: readonly string[] = [];

  constructor(parts: {
    readonly core: HostedDesktop | null;
    readonly windows: Windows;
    readonly tray: AppTray | null;
    readonly place: DesktopPlace;
    readonly restart: (safeMode: boolean) => void;
  }) {
    this.#core = parts.core;
    this.#windows = parts.windows;
    this.#tray = parts.tray;
    this.#place = parts.place;
    this.#restart = parts.restart;
    this.#setMenu();
  }

  /** Begins to tell and show. */
  async start(): Promise<void> {
    await this.#core?.drive({
      notify: (notice) => this.#notify(notice),
      show: (view) => this.#show(view),
      looksAt: () => this.#windows.looksAt(),
    });
  }

  /** Opens what a link, the file manager or another start of the app named. */
  async open(request: LaunchRequest): Promise<void> {
    this.#windows.show();
    if (this.#core !== null) this.#windows.command(await commandFor(request, this.#core.client));
  }

  #notify({ title, body, target }: Notice): void {
    showNotification(title, body, () => this.#windows.command({ type: 'open_node', ...target }));
  }

  #show(view: DesktopView): void {
    this.#tray?.show(view.tray);
    this.#awake.set(view.keepAwake);
    app.setBadgeCount(view.badge);
    for (const window of BrowserWindow.getAllWindows()) {
      window.setProgressBar(view.progress ?? -1);
      if (process.platform === 'win32') this.#overlay(window, view);
    }
    if (view.recent.join('\0') === this.#recent.join('\0')) return;
    this.#recent = view.recent;
    for (const path of view.recent.toReversed()) app.addRecentDocument(path);
    this.#setMenu();
  }

  /** Windows has no number on its icons: the state's image says that something waits. */
  #overlay(window: BrowserWindow, { badge, tray }: DesktopView): void {
    const image = badge === 0 ? null : nativeImage.createFromPath(join(this.#place.assets, 'tray', `${tray.icon}.png`));
    window.setOverlayIcon(image, tray.tooltip);
  }

  #setMenu(): void {
    const facts = { platform: process.platform, recent: this.#recent, safeMode: this.#place.safeMode };
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(facts, this.#actions())));
  }

  #actions(): MenuActions {
    return {
      runCommand: (command) => this.#windows.command({ type: 'run_command', command }),
      newWindow: () => void this.#windows.open(),
      openProject: (path) => this.#windows.command({ type: 'open_project', path }),
      openLogs: () => void shell.openPath(join(this.#place.home, 'logs')),
      copyDiagnostics: () => void this.copyDiagnostics(),
      safeMode: () => this.#restart(!this.#place.safeMode),
    };
  }

  /** Puts a text about app, system and log on the clipboard. */
  async copyDiagnostics(): Promise<void> {
    const { home, safeMode, keys } = this.#place;
    const text = diagnosticsText(
      {
        version: app.getVersion(),
        versions: process.versions,
        platform: process.platform,
        arch: process.arch,
        osVersion: release(),
        home,
        safeMode,
        keychain: keys.state().words,
        app: (await this.#core?.client.app.info()) ?? null,
        counts: this.#core === null ? {} : { Projects: (await this.#core.client.projects.list()).length },
        log: readLog(join(home, 'logs', 'core.log')),
      },
      homedir(),
      (words) => this.#core?.redact(words) ?? words,
    );
    await clipboard.writeText(text);
  }
}

/** Where keys are kept, given to the core's environment as it is read. */
export function openKeyStore(profile: string, environment: Record<string, string | undefined>): KeyStore {
  const keys = new KeyStore(join(profile, 'keys.json'), safeStorage, process.platform, environment);
  keys.load();
  return keys;
}

function readLog(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(-64 * 1024);
  } catch {
    return '(none)';
  }
}
