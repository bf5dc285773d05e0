import { BrowserWindow, nativeTheme, type WebContents } from 'electron';
import type { DesktopCommand, PageFact } from '../core/protocol/desktop.ts';
import { CHANNELS } from './channels.ts';
import { openWindow, type WindowPage } from './window.ts';

interface PageState {
  ready: boolean;
  looksAt: string | null;
  /** Commands that wait until the page hears. */
  waiting: DesktopCommand[];
}

/** The windows of the app. All show the same core; each has its own selection. */
export class Windows {
  readonly #page: WindowPage;
  readonly #pages = new Map<number, PageState>();
  readonly #isQuitting: () => boolean;
  readonly #onLastClose: () => boolean;
  /** Those that have painted; before that a window shows itself. */
  readonly #painted = new WeakSet<BrowserWindow>();
  #last: BrowserWindow | null = null;

  /** `onLastClose` answers whether the last window is only hidden. */
  constructor(page: WindowPage, isQuitting: () => boolean, onLastClose: () => boolean) {
    this.#page = page;
    this.#isQuitting = isQuitting;
    this.#onLastClose = onLastClose;
  }

  open(): BrowserWindow {
    const window = openWindow(this.#page);
    const { id } = window.webContents;
    this.#pages.set(id, { ready: false, looksAt: null, waiting: [] });
    this.#last = window;
    window.once('show', () => this.#painted.add(window));
    window.on('focus', () => (this.#last = window));
    window.on('close', (event) => {
      const isLast = BrowserWindow.getAllWindows().filter((one) => one.isVisible() && one !== window).length === 0;
      if (this.#isQuitting() || !isLast || !this.#onLastClose()) return;
      event.preventDefault();
      window.hide();
    });
    window.on('closed', () => {
      this.#pages.delete(id);
      if (this.#last === window) this.#last = BrowserWindow.getAllWindows()[0] ?? null;
    });
    // A page that loads again hears nothing until it says so.
    window.webContents.on('did-start-loading', () => this.#state(id, (state) => (state.ready = false)));
    return window;
  }

  /** Brings a window to the front; opens one if there is none. */
  show(): BrowserWindow {
    const window = this.#last ?? this.open();
    if (window.isMinimized()) window.restore();
    if (!window.isVisible() && this.#painted.has(window)) window.show();
    if (window.isVisible()) window.focus();
    return window;
  }

  /** Shows a window and has its page do something, as soon as it hears. */
  command(command: DesktopCommand): void {
    const { webContents } = this.show();
    const state = this.#pages.get(webContents.id);
    if (state?.ready === true) webContents.send(CHANNELS.command, command);
    else state?.waiting.push(command);
  }

  hear(contents: WebContents, fact: PageFact): void {
    this.#state(contents.id, (state) => {
      if (fact.type === 'looks_at') state.looksAt = fact.conversation_id;
      else if (fact.type === 'theme') nativeTheme.themeSource = fact.theme;
      else {
        state.ready = true;
        for (const command of state.waiting.splice(0)) contents.send(CHANNELS.command, command);
      }
    });
  }

  /** The conversation in the window that has the focus; null without one. */
  looksAt(): string | null {
    const focused = BrowserWindow.getFocusedWindow();
    return focused === null ? null : (this.#pages.get(focused.webContents.id)?.looksAt ?? null);
  }

  hideAll(): void {
    for (const window of BrowserWindow.getAllWindows()) window.hide();
  }

  #state(id: number, change: (state: PageState) => void): void {
    const state = this.#pages.get(id);
    if (state !== undefined) change(state);
  }
}
