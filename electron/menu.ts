import { basename } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopCommand } from '../core/protocol/desktop.ts';

type PageCommand = Extract<DesktopCommand, { type: 'run_command' }>['command'];

type PageEntry = (label: string, command: PageCommand, accelerator?: string) => MenuItemConstructorOptions;

/** What the entries of the menu do that the system does not do by itself. */
export interface MenuActions {
  runCommand(command: PageCommand): void;
  newWindow(): void;
  openProject(path: string): void;
  openLogs(): void;
  copyDiagnostics(): void;
  safeMode(): void;
}

export interface MenuFacts {
  readonly platform: NodeJS.Platform;
  /** Folders of projects, the latest first. */
  readonly recent: readonly string[];
  readonly safeMode: boolean;
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
        recentMenu(facts.recent, actions),
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

function recentMenu(recent: readonly string[], actions: MenuActions): MenuItemConstructorOptions {
  const items = recent.map((path): MenuItemConstructorOptions => {
    // An ampersand would be read as the mark of a key.
    const label = `${basename(path)} — ${path}`.replaceAll('&', '&&');
    return { label, click: () => actions.openProject(path) };
  });
  const none = { label: 'No Project Yet', enabled: false };
  return { label: 'Recent Projects', submenu: items.length === 0 ? [none] : items };
}
