import { EventEmitter } from 'node:events';
import { request } from 'node:http';
import type * as electron from 'electron';
import { app } from './app.ts';
import type { Fits } from './drift.ts';
import { machine, state } from './machine.ts';
import { StandInMenu, StandInNotification, StandInTray } from './surfaces.ts';
import { PAGE_ORIGIN, Port, standsFor, type Contents } from './web-contents.ts';
import { ipcMain, StandInWindow } from './window.ts';

type Electron = typeof electron;

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
  showOpenDialog: (..._args: unknown[]) =>
    Promise.resolve({ canceled: state.paths.length === 0, filePaths: [...state.paths] }),
  showErrorBox: (title: string, content: string): void => {
    console.error(`${title}: ${content}`);
  },
};

const powerMonitor = new EventEmitter();
const autoUpdater = new EventEmitter();
const nativeTheme = {
  get themeSource() {
    return state.theme;
  },
  set themeSource(theme: string) {
    state.theme = theme;
  },
};
let blockers = 0;

const nativeImage = { createFromPath: (path: string) => ({ path }) };
const clipboard = { writeText: (text: string): Promise<void> => Promise.resolve(void (state.clipboard = text)) };
const shell = {
  openPath: (path: string) => (state.opened.push(path), Promise.resolve('')),
  openExternal: (url: string) => Promise.resolve(void state.opened.push(url)),
};
const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] };
/** Keeps no secret: a keychain is what the stand-in cannot have. */
const safeStorage = {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret' as const,
  encryptString: (text: string) => Buffer.from(text).reverse(),
  decryptString: (bytes: Buffer) => Buffer.from(bytes).reverse().toString(),
};
const powerSaveBlocker = {
  start: (_type: string) => (state.awake.add((blockers += 1)), blockers),
  stop: (id: number) => state.awake.delete(id),
};
const protocol = {
  registerSchemesAsPrivileged: (schemes: unknown[]): void => void state.schemes.push(...schemes),
  handle: (_scheme: string, answer: (request: Request) => Promise<Response>): void => {
    void machine.context?.route(`${PAGE_ORIGIN}/**`, async (route) => {
      const asked = route.request();
      const response = await answer(new Request(standsFor(asked.url()), { method: asked.method() }));
      const body = Buffer.from(await response.arrayBuffer());
      await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
    });
  },
};
/** What the updater fetches with; over loopback alone. */
const net = {
  request: ({ session: _session, redirect: _redirect, ...options }: Record<string, unknown>) => request(options),
};
const session = { fromPartition: (_partition: string) => ({}) };

const parts = {
  app,
  autoUpdater,
  BrowserWindow: StandInWindow,
  Menu: StandInMenu,
  Tray: StandInTray,
  Notification: StandInNotification,
  MessageChannelMain: StandInChannel,
  ipcMain,
  dialog,
  powerMonitor,
  nativeTheme,
  nativeImage,
  clipboard,
  shell,
  screen,
  safeStorage,
  powerSaveBlocker,
  protocol,
  net,
  session,
};

/** Every name is one of Electron's: a part that Electron does not have does not compile. */
type StandIn = { [Name in keyof typeof parts]: Name extends keyof Electron ? (typeof parts)[Name] : never };
parts satisfies StandIn;

/** So is every method of every part, as a method, with a promise where Electron's gives one. What is named here beside is the test's own. */
({
  app: true,
  BrowserWindow: true,
  window: true,
  contents: true,
  contentsSession: true,
  Menu: true,
  Tray: true,
  Notification: true,
  port: true,
  ipcMain: true,
  dialog: true,
  nativeTheme: true,
  nativeImage: true,
  clipboard: true,
  shell: true,
  screen: true,
  safeStorage: true,
  powerSaveBlocker: true,
  protocol: true,
  net: true,
  session: true,
}) satisfies {
  app: Fits<typeof app, Electron['app'], 'windowClosed'>;
  BrowserWindow: Fits<typeof StandInWindow, Electron['BrowserWindow'], 'prototype'>;
  window: Fits<StandInWindow, electron.BrowserWindow, 'options' | 'progress'>;
  contents: Fits<Contents, electron.WebContents, 'page' | 'url' | 'load' | 'handlers'>;
  contentsSession: Fits<Contents['session'], electron.Session>;
  Menu: Fits<StandInMenu, electron.Menu>;
  Tray: Fits<StandInTray, electron.Tray, 'image' | 'tooltip' | 'menu'>;
  Notification: Fits<StandInNotification, electron.Notification>;
  port: Fits<Port, electron.MessagePortMain, 'id' | 'deliver' | 'receive'>;
  ipcMain: Fits<typeof ipcMain, Electron['ipcMain'], 'handlers'>;
  dialog: Fits<typeof dialog, Electron['dialog']>;
  nativeTheme: Fits<typeof nativeTheme, Electron['nativeTheme']>;
  nativeImage: Fits<typeof nativeImage, Electron['nativeImage']>;
  clipboard: Fits<typeof clipboard, Electron['clipboard']>;
  shell: Fits<typeof shell, Electron['shell']>;
  screen: Fits<typeof screen, Electron['screen']>;
  safeStorage: Fits<typeof safeStorage, Electron['safeStorage']>;
  powerSaveBlocker: Fits<typeof powerSaveBlocker, Electron['powerSaveBlocker']>;
  protocol: Fits<typeof protocol, Electron['protocol']>;
  net: Fits<typeof net, Electron['net']>;
  session: Fits<typeof session, Electron['session']>;
};

export const { BrowserWindow, Menu, Tray, Notification, MessageChannelMain } = parts;
export {
  app,
  autoUpdater,
  clipboard,
  dialog,
  ipcMain,
  nativeImage,
  nativeTheme,
  net,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
};
