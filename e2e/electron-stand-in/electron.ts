import { EventEmitter } from 'node:events';
import { basename } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import type * as electron from 'electron';
import type { MenuEntry, Order, Seen } from './seen.ts';
import { Contents, Ipc, PAGE_ORIGIN, Port, standsFor } from './web-contents.ts';

type Electron = typeof electron;

/** What the stand-in needs of the process it runs in; set before main is loaded. */
const machine: { context: BrowserContext | null; root: string; exit: (code: number) => void } = {
  context: null,
  root: '',
  exit: (code) => process.exit(code),
};

const state = {
  notifications: [] as StandInNotification[],
  tray: null as StandInTray | null,
  menu: null as StandInMenu | null,
  windows: [] as StandInWindow[],
  focused: null as StandInWindow | null,
  badge: 0,
  awake: new Set<number>(),
  clipboard: '',
  dialogs: [] as { message: string; detail: string; buttons: readonly string[] }[],
  button: null as string | null,
  paths: [] as readonly string[],
  opened: [] as string[],
  recent: [] as string[],
  relaunched: null as readonly string[] | null,
};

const ipcMain = new Ipc();

class StandInApp extends EventEmitter {
  readonly isPackaged = false;
  #quitting = false;
  #userData = '';

  getAppPath = (): string => machine.root;
  getVersion = (): string => '0.1.0';
  setPath = (_name: string, path: string): void => void (this.#userData = path);
  getPath = (_name: string): string => this.#userData;
  disableHardwareAcceleration = (): void => undefined;
  requestSingleInstanceLock = (): boolean => true;
  setAsDefaultProtocolClient = (): boolean => true;
  whenReady = (): Promise<void> => Promise.resolve();
  setBadgeCount = (count = 0): boolean => ((state.badge = count), true);
  addRecentDocument = (path: string): void =>
    void (state.recent = [path, ...state.recent.filter((one) => one !== path)]);
  relaunch = (options: { args?: string[] } = {}): void => void (state.relaunched = options.args ?? []);
  exit = (code = 0): void => machine.exit(code);

  /** As Electron's: a listener of any step may hold it up. */
  quit = (): void => {
    if (this.#isHeldUp('before-quit')) return;
    this.#quitting = true;
    for (const window of [...state.windows]) window.close();
    if (state.windows.length > 0) {
      this.#quitting = false;
      return;
    }
    if (!this.#isHeldUp('will-quit')) this.exit(0);
  };

  windowClosed(): void {
    if (state.windows.length === 0 && !this.#quitting) this.emit('window-all-closed');
  }

  #isHeldUp(name: string): boolean {
    let held = false;
    this.emit(name, { preventDefault: () => (held = true) });
    return held;
  }
}

const app = new StandInApp();

class StandInWindow extends EventEmitter {
  static getAllWindows = (): StandInWindow[] => [...state.windows];
  static getFocusedWindow = (): StandInWindow | null => state.focused;
  static fromWebContents = (contents: Contents): StandInWindow | null =>
    state.windows.find((window) => window.webContents === contents) ?? null;

  readonly webContents = new Contents(ipcMain);
  readonly options: { show?: boolean; webPreferences?: { preload?: string } };
  progress = -1;
  #visible: boolean;

  constructor(options: StandInWindow['options']) {
    super();
    this.options = options;
    this.#visible = options.show !== false;
    state.windows.push(this);
    this.webContents.on('ready', () => this.emit('ready-to-show'));
  }

  loadURL = async (url: string): Promise<void> => {
    if (machine.context !== null)
      await this.webContents.load(machine.context, url, this.options.webPreferences?.preload ?? null);
  };
  isVisible = (): boolean => this.#visible;
  isMinimized = (): boolean => false;
  isMaximized = (): boolean => false;
  restore = (): void => undefined;
  maximize = (): void => undefined;
  getNormalBounds = () => ({ x: 0, y: 0, width: 1440, height: 900 });
  setProgressBar = (share: number): void => void (this.progress = share);
  setOverlayIcon = (): void => undefined;
  show = (): void => {
    this.#visible = true;
    this.emit('show');
    this.focus();
  };
  hide = (): void => {
    this.#visible = false;
    this.blur();
  };
  focus = (): void => {
    state.focused = this;
    this.emit('focus');
  };
  blur = (): void => {
    if (state.focused === this) state.focused = null;
  };
  close = (): void => {
    let held = false;
    this.emit('close', { preventDefault: () => (held = true) });
    if (held) return;
    this.blur();
    state.windows = state.windows.filter((one) => one !== this);
    this.webContents.page?.close().catch(() => undefined);
    this.emit('closed');
    app.windowClosed();
  };
}

interface Template {
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly enabled?: boolean;
  readonly click?: () => void;
  readonly submenu?: readonly Template[];
}

class StandInMenu {
  static buildFromTemplate = (items: readonly Template[]): StandInMenu => new StandInMenu(items);
  static setApplicationMenu = (menu: StandInMenu | null): void => void (state.menu = menu);
  readonly items: readonly Template[];

  constructor(items: readonly Template[]) {
    this.items = items;
  }
}

function entries(items: readonly Template[]): MenuEntry[] {
  return items
    .filter(({ type }) => type !== 'separator')
    .map(({ label, role, enabled, submenu }) => ({
      label: label ?? role ?? '',
      enabled: enabled !== false,
      submenu: entries(submenu ?? []),
    }));
}

function click(items: readonly Template[], path: readonly string[]): void {
  const [label, ...rest] = path;
  const found = items.find((item) => (item.label ?? item.role) === label);
  if (found === undefined) throw new Error(`there is no entry ${label} in ${JSON.stringify(entries(items))}`);
  if (rest.length > 0) click(found.submenu ?? [], rest);
  else if (found.role === 'quit') app.quit();
  else if (found.role === 'close') state.focused?.close();
  else if (found.click === undefined) throw new Error(`${label} does nothing of its own`);
  else found.click();
}

class StandInTray extends EventEmitter {
  image: string;
  tooltip = '';
  menu: StandInMenu | null = null;
  constructor(image: { path: string }) {
    super();
    this.image = image.path;
    state.tray = this;
  }
  setImage = ({ path }: { path: string }): void => void (this.image = path);
  setToolTip = (text: string): void => void (this.tooltip = text);
  setTitle = (): void => undefined;
  setContextMenu = (menu: StandInMenu): void => void (this.menu = menu);
  destroy = (): void => void (state.tray = null);
}

class StandInNotification extends EventEmitter {
  static isSupported = (): boolean => true;
  readonly title: string;
  readonly body: string;
  constructor({ title, body }: { title: string; body: string }) {
    super();
    this.title = title;
    this.body = body;
  }
  show = (): void => void state.notifications.push(this);
}

class StandInChannel {
  readonly port1 = new Port();
  readonly port2 = { peer: this.port1 };
}

const dialog = {
  showMessageBox: async (...args: unknown[]) => {
    const { message, detail = '', buttons } = args.at(-1) as { message: string; detail?: string; buttons: string[] };
    state.dialogs.push({ message, detail, buttons });
    while (state.button === null) await new Promise((resolve) => setTimeout(resolve, 10));
    const response = buttons.indexOf(state.button);
    state.button = null;
    return { response, checkboxChecked: false };
  },
  showOpenDialog: () => Promise.resolve({ canceled: state.paths.length === 0, filePaths: [...state.paths] }),
  showErrorBox: (title: string, content: string): void => {
    console.error(`${title}: ${content}`);
  },
};

const powerMonitor = new EventEmitter();
const nativeTheme = { themeSource: 'system' };
let blockers = 0;

const parts = {
  app,
  BrowserWindow: StandInWindow,
  Menu: StandInMenu,
  Tray: StandInTray,
  Notification: StandInNotification,
  MessageChannelMain: StandInChannel,
  ipcMain,
  dialog,
  powerMonitor,
  nativeTheme,
  nativeImage: { createFromPath: (path: string) => ({ path }) },
  clipboard: { writeText: (text: string): void => void (state.clipboard = text) },
  shell: {
    openPath: (path: string) => (state.opened.push(path), Promise.resolve('')),
    openExternal: (url: string) => (state.opened.push(url), Promise.resolve()),
  },
  screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
  safeStorage: {
    isEncryptionAvailable: () => true,
    getSelectedStorageBackend: () => 'gnome_libsecret' as const,
    encryptString: (text: string) => Buffer.from(text).reverse(),
    decryptString: (bytes: Buffer) => Buffer.from(bytes).reverse().toString(),
  },
  powerSaveBlocker: {
    start: () => (state.awake.add((blockers += 1)), blockers),
    stop: (id: number) => state.awake.delete(id),
  },
  protocol: {
    registerSchemesAsPrivileged: (): void => undefined,
    handle: (_scheme: string, answer: (request: Request) => Promise<Response>): void => {
      void machine.context?.route(`${PAGE_ORIGIN}/**`, async (route) => {
        const asked = route.request();
        const response = await answer(new Request(standsFor(asked.url()), { method: asked.method() }));
        const body = Buffer.from(await response.arrayBuffer());
        await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
      });
    },
  },
};

/** Every name is one of Electron's: a part that Electron does not have does not compile. */
export type StandIn = { [Name in keyof typeof parts]: Name extends keyof Electron ? (typeof parts)[Name] : never };
parts satisfies StandIn;

export const {
  BrowserWindow,
  Menu,
  Tray,
  Notification,
  MessageChannelMain,
  nativeImage,
  clipboard,
  shell,
  screen,
  safeStorage,
  powerSaveBlocker,
  protocol,
} = parts;
export { app, dialog, ipcMain, machine, nativeTheme, powerMonitor };

function seen(): Seen {
  const { tray, menu, windows } = state;
  return {
    notifications: state.notifications.map(({ title, body }) => ({ title, body })),
    tray:
      tray === null
        ? null
        : { icon: basename(tray.image, '.png'), tooltip: tray.tooltip, menu: entries(tray.menu?.items ?? []) },
    menu: entries(menu?.items ?? []),
    windows: windows.map((window) => ({
      url: window.webContents.mainFrame.url,
      visible: window.isVisible(),
      focused: state.focused === window,
      progress: window.progress,
      options: window.options,
    })),
    badge: state.badge,
    awake: state.awake.size > 0,
    clipboard: state.clipboard,
    theme: nativeTheme.themeSource,
    dialogs: state.dialogs,
    opened: state.opened,
    recent: state.recent,
    relaunched: state.relaunched,
    answering: state.button !== null,
  };
}

const window = (): StandInWindow | undefined => state.windows[0];
const held = { preventDefault: (): void => undefined };

type Does<Type extends Order['type']> = (order: Extract<Order, { type: Type }>) => unknown;

const DOES: { readonly [Type in Order['type']]: Does<Type> } = {
  seen: () => undefined,
  click_menu: ({ path }) => click(state.menu?.items ?? [], path),
  click_tray: ({ label }) =>
    label === null ? state.tray?.emit('click') : click(state.tray?.menu?.items ?? [], [label]),
  click_notification: ({ index }) => state.notifications[index]?.emit('click'),
  close_window: () => window()?.close(),
  focus: ({ focused }) => (focused ? window()?.focus() : window()?.blur()),
  answer: ({ button }) => (state.button = button),
  choose: ({ paths }) => (state.paths = paths),
  power: ({ event }) => powerMonitor.emit(event),
  second_instance: ({ argv, folder }) => app.emit('second-instance', {}, argv, folder),
  open_file: ({ path }) => app.emit('open-file', held, path),
  open_url: ({ url }) => app.emit('open-url', held, url),
  crash_page: () => app.emit('render-process-gone', {}, window()?.webContents, { reason: 'crashed', exitCode: 1 }),
  quit: () => app.quit(),
};

/** Does what a test asks, as person or system; answers what is to be seen then. */
export function obey(order: Order): Seen {
  (DOES[order.type] as (order: Order) => unknown)(order);
  return seen();
}
