import { basename } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import type { MenuEntry, Seen, Template } from './seen.ts';
import type { Contents } from './web-contents.ts';

interface ShownMenu {
  readonly items: readonly Template[];
}

export interface ShownWindow {
  readonly webContents: Contents;
  readonly progress: number;
  readonly options: unknown;
  isVisible(): boolean;
  getNormalBounds(): Seen['windows'][number]['bounds'];
  focus(): void;
  blur(): void;
  close(): void;
}

interface Clickable {
  emit(event: 'click'): boolean;
}

/** What the stand-in needs of the process it runs in; set before main is loaded. */
export const machine: { context: BrowserContext | null; root: string; exit: (code: number) => void } = {
  context: null,
  root: '',
  exit: (code) => process.exit(code),
};

/** What the desktop has shown and done so far. */
export const state = {
  notifications: [] as (Seen['notifications'][number] & Clickable)[],
  tray: null as (Clickable & { image: string; tooltip: string; menu: ShownMenu | null }) | null,
  menu: null as ShownMenu | null,
  windows: [] as ShownWindow[],
  focused: null as ShownWindow | null,
  badge: 0,
  awake: new Set<number>(),
  clipboard: '',
  theme: 'system',
  dialogs: [] as { message: string; detail: string; buttons: readonly string[] }[],
  button: null as string | null,
  paths: [] as readonly string[],
  opened: [] as string[],
  refused: [] as string[],
  recent: [] as string[],
  schemes: [] as unknown[],
  safe: false,
  relaunched: null as readonly string[] | null,
};

export function entries(items: readonly Template[]): MenuEntry[] {
  return items
    .filter(({ type }) => type !== 'separator')
    .map(({ label, role, enabled, submenu }) => ({
      label: label ?? role ?? '',
      enabled: enabled !== false,
      submenu: entries(submenu ?? []),
    }));
}

/** What is to be seen now. */
export function seen(): Seen {
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
      bounds: window.getNormalBounds(),
      options: window.options,
    })),
    badge: state.badge,
    awake: state.awake.size > 0,
    clipboard: state.clipboard,
    theme: state.theme,
    dialogs: state.dialogs,
    opened: state.opened,
    refused: state.refused,
    recent: state.recent,
    schemes: state.schemes,
    safe: state.safe,
    relaunched: state.relaunched,
    answering: state.button !== null,
  };
}
