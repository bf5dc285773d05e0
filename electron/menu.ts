import { basename } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import type { updateEntry } from '../core/host/desktop/updates.ts';
import type { DesktopCommand } from '../core/protocol/desktop.ts';

type PageCommand = Extract<DesktopCommand, { type: 'run_command' }>['command'];

type PageEntry = (label: string, command: PageCommand, accelerator?: string) => MenuItemConstructorOptions;

/** What the entries of the menu do that the system does not do by itself. */
export interface MenuActions {
  runCommand(command: PageCommand): void;
  newWindow(): void;
  openProject(path: string): void;
  openProjectInNewWindow(path: string): void;
  openLogs(): void;
  copyDiagnostics(): void;
  safeMode(): void;
  checkForUpdates(): void;
  restartToUpdate(): void;
}

export interface MenuFacts {
  readonly platform: NodeJS.Platform;
  /** Folders of projects, the latest first. */
  readonly recent: readonly string[];
  readonly safeMode: boolean;
  readonly update: ReturnType<typeof updateEntry>;
}

/** The application menu. What the page can do is done by the page, whose keys these are; here they are only shown. */
export function menuTemplate(facts: MenuFacts, actions: MenuActions): MenuItemConstructorOptions[] {
  const isMac = facts.platform === 'darwin';
  const page: PageEntry = (label, command, accelerator) => ({
    label,
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
    click: () => actions.runCommand(command),
  });
  const settings = page('Settings…', 'settings', 'CmdOrCtrl+,');
  return [
    ...(isMac ? [appMenu(settings)] : []),
    {
      label: 'File',
      submenu: [
        page('New Conversation', 'new', 'CmdOrCtrl+N'),
        page('New Batch…', 'batch'),
        { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.newWindow() },
        { type: 'separator' },
        page('Attach Project…', 'attach', 'CmdOrCtrl+O'),
        recentMenu('Recent Projects', facts.recent, (path) => actions.openProject(path)),
        recentMenu('Open in New Window', facts.recent, (path) => actions.openProjectInNewWindow(path)),
        { type: 'separator' },
        ...(isMac ? [] : [settings, { type: 'separator' } as const]),
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    viewMenu(page),
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        page('Keyboard Shortcuts', 'shortcuts'),
        { type: 'separator' },
        { label: 'Open Log Folder', click: () => actions.openLogs() },
        { label: 'Copy Diagnostics', click: () => actions.copyDiagnostics() },
        {
          label: facts.safeMode ? 'Restart Without Safe Mode' : 'Restart in Safe Mode',
          click: () => actions.safeMode(),
        },
        ...updateItems(facts.update, actions),
      ],
    },
  ];
}

function viewMenu(page: PageEntry): MenuItemConstructorOptions {
  return {
    label: 'View',
    submenu: [
      page('Command Palette…', 'palette', 'CmdOrCtrl+K'),
      page('Inbox', 'inbox', 'CmdOrCtrl+I'),
      { type: 'separator' },
      page('Sidebar', 'sidebar', 'CmdOrCtrl+B'),
      page('Inspector', 'inspector', 'CmdOrCtrl+Alt+B'),
      { type: 'separator' },
      { role: 'reload' },
      { role: 'toggleDevTools' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
}

function appMenu(settings: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  };
}

function updateItems(update: MenuFacts['update'], actions: MenuActions): MenuItemConstructorOptions[] {
  if (update === null) return [];
  const { label, does } = update;
  const click = does === 'check' ? () => actions.checkForUpdates() : () => actions.restartToUpdate();
  return [{ type: 'separator' }, does === null ? { label, enabled: false } : { label, click }];
}

/** The menu of the dock icon (macOS): a window more, and the projects that were used last. */
export function dockTemplate(recent: readonly string[], actions: MenuActions): MenuItemConstructorOptions[] {
  const projects = recent.map((path) => projectItem(path, (chosen) => actions.openProject(chosen)));
  return [{ label: 'New Window', click: () => actions.newWindow() }, { type: 'separator' }, ...projects];
}

function recentMenu(
  label: string,
  recent: readonly string[],
  open: (path: string) => void,
): MenuItemConstructorOptions {
  const none = { label: 'No Project Yet', enabled: false };
  return { label, submenu: recent.length === 0 ? [none] : recent.map((path) => projectItem(path, open)) };
}

function projectItem(path: string, open: (path: string) => void): MenuItemConstructorOptions {
  // An ampersand would be read as the mark of a key.
  const label = `${basename(path)} — ${path}`.replaceAll('&', '&&');
  return { label, click: () => open(path) };
}
