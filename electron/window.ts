import { BrowserWindow, screen, shell, type WebContents } from 'electron';
import { isPermitted } from './content-policy.ts';
import { outsideTarget } from './link-policy.ts';
import { APP_URL, isOwnPage } from './own-page.ts';
import { windowOptions } from './window-options.ts';
import { placeWindow, type WindowState } from './window-state.ts';

/** Opens a window with the desktop's page at its place; it shows itself when it has painted. */
export function openWindow(preload: string, state: WindowState | null): BrowserWindow {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const place = placeWindow(state, areas);
  const window = new BrowserWindow(windowOptions(place, preload));
  if (place.maximized) window.maximize();
  keepOnPage(window.webContents, APP_URL);
  window.once('ready-to-show', () => {
    window.show();
  });
  void window.loadURL(APP_URL);
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
