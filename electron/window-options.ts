import type { BrowserWindowConstructorOptions } from 'electron';
import { MIN_SIZE, type WindowPlace } from './window-state.ts';

/** A window with the desktop's own page. */
export function windowOptions(place: WindowPlace, preload: string): BrowserWindowConstructorOptions {
  const { maximized: _, ...bounds } = place;
  return {
    ...bounds,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    // Shown when it has painted: no white flash before a dark page.
    show: false,
    title: 'Espalier',
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // Hundreds of runs go on while the window is behind others; the feed must still be acknowledged.
      backgroundThrottling: false,
      spellcheck: false,
    },
  };
}
