import { readFileSync, writeFileSync } from 'node:fs';
import { BrowserWindow, screen, shell, type WebContents } from 'electron';
import { isPermitted } from './content-policy.ts';
import { outsideTarget } from './link-policy.ts';
import { isOwnPage } from './own-page.ts';
import { windowOptions } from './window-options.ts';
import { parseWindowState, placeWindow, type WindowState } from './window-state.ts';

/** What a window shows, and where its place is remembered. */
export interface WindowPage {
  readonly url: string;
  /** The preload's file; null for a page of another core, which gets no desktop bridge. */
  readonly preload: string | null;
  readonly stateFile: string;
}

/** Opens the window at its remembered place; it shows itself when it has painted. */
export function openWindow(page: WindowPage): BrowserWindow {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const place = placeWindow(readState(page.stateFile), areas);
  const window = new BrowserWindow(windowOptions(place, page.preload));
  if (place.maximized) window.maximize();
  keepOnPage(window.webContents, page.url);
  window.once('ready-to-show', () => {
    window.show();
  });
  window.on('close', () => {
    writeState(page.stateFile, { ...window.getNormalBounds(), maximized: window.isMaximized() });
  });
  void window.loadURL(page.url);
  return window;
}

/** The page stays where it is, opens no window, and gets nothing of the browser that it does not need. */
function keepOnPage(contents: WebContents, home: string): void {
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: 'deny' };
  });
  contents.on('will-frame-navigate', (details) => {
    if (details.isMainFrame && isOwnPage(details.url, home)) return;
    details.preventDefault();
    if (details.isMainFrame) openOutside(details.url);
  });
  contents.on('will-redirect', (details) => {
    if (!isOwnPage(details.url, home)) details.preventDefault();
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  contents.session.setPermissionRequestHandler((_contents, permission, answer) => {
    answer(isPermitted(permission));
  });
  contents.session.setPermissionCheckHandler((_contents, permission) => isPermitted(permission));
}

function openOutside(url: string): void {
  const target = outsideTarget(url);
  if (target !== null) void shell.openExternal(target);
}

function readState(file: string): WindowState | null {
  try {
    return parseWindowState(readFileSync(file, 'utf8'));
  } catch {
    return null; // The first start.
  }
}

function writeState(file: string, state: WindowState): void {
  try {
    writeFileSync(file, JSON.stringify(state), { mode: 0o600 });
  } catch {
    // A full disk must not keep a window from closing; it opens at the old place next time.
  }
}
