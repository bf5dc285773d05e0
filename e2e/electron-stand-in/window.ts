import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { machine, state } from './machine.ts';
import { Contents, Ipc } from './web-contents.ts';

export const ipcMain = new Ipc();

/** Where windows open that name no place. */
const FIRST_PLACE = { x: 40, y: 40 };

interface WindowOptions {
  readonly show?: boolean;
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly webPreferences?: { readonly preload?: string };
}

export class StandInWindow extends EventEmitter {
  static getAllWindows = () => [...state.windows];
  static getFocusedWindow = () => state.focused;
  static fromWebContents = (contents: Contents) =>
    state.windows.find((window) => window.webContents === contents) ?? null;

  readonly webContents = new Contents(ipcMain);
  readonly options: WindowOptions;
  progress = -1;
  #visible: boolean;

  constructor(options: WindowOptions) {
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
  getNormalBounds = () => {
    const { x = FIRST_PLACE.x, y = FIRST_PLACE.y, width = 0, height = 0 } = this.options;
    return { x, y, width, height };
  };
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
    if (state.focused !== this) state.focused?.blur();
    state.focused = this;
    this.emit('focus');
  };
  blur = (): void => {
    if (state.focused !== this) return;
    state.focused = null;
    this.emit('blur');
  };
  close = (): void => {
    let held = false;
    this.emit('close', { preventDefault: () => (held = true) });
    if (held) return;
    if (state.focused === this) state.focused = null;
    state.windows = state.windows.filter((one) => one !== this);
    this.webContents.page?.close().catch(() => undefined);
    this.emit('closed');
    app.windowClosed();
  };
}
