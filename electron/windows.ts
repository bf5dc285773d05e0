import { BrowserWindow, nativeTheme, type WebContents } from 'electron';
import type { DesktopCommand, PageFact } from '../core/protocol/desktop.ts';
import { CHANNELS } from './channels.ts';
import type { WindowMemory } from './window-memory.ts';
import { besideWindow, type RememberedWindow, type WindowState } from './window-state.ts';
import { openWindow } from './window.ts';

interface PageState {
  readonly window: BrowserWindow;
  ready: boolean;
  /** What it shows as far as it has said; a page that loads again is brought back there. */
  conversation: string | null;
  project: string | null;
  /** Commands that wait until the page hears. */
  waiting: DesktopCommand[];
}

/** What windows need to know, and whom they tell. */
export interface WindowsParts {
  readonly preload: string;
  readonly memory: WindowMemory;
  isQuitting(): boolean;
  /** Answers whether the last window is only hidden. */
  lastCloses(): boolean;
  /** Another conversation is on screen and focused, or none. */
  looksChanged(): void;
}

/** The windows of the app. All show the same core; each has its own conversation, and with it its project. */
export class Windows {
  readonly #parts: WindowsParts;
  readonly #pages = new Map<number, PageState>();
  /** Those that have painted; before that a window shows itself. */
  readonly #painted = new WeakSet<BrowserWindow>();
  #last: BrowserWindow | null = null;
  #isKept = false;

  constructor(parts: WindowsParts) {
    this.#parts = parts;
  }

  /** Opens the windows of the last time, each at its place with what it showed; at least one. */
  restore(): void {
    const remembered = this.#parts.memory.read();
    for (const one of remembered) this.#open(one.place, one.conversation_id);
    if (remembered.length === 0) this.#open(null, null);
  }

  /** One more, a little off the last one. */
  open(): BrowserWindow {
    return this.#open(this.#last === null ? null : besideWindow(placeOf(this.#last)), null);
  }

  /** Brings a window to the front; opens one if there is none. */
  show(window: BrowserWindow = this.#last ?? this.open()): BrowserWindow {
    if (window.isMinimized()) window.restore();
    if (!window.isVisible() && this.#painted.has(window)) window.show();
    if (window.isVisible()) window.focus();
    return window;
  }

  /** Shows a window and has its page do something, as soon as it hears. A node is shown where its conversation is open already. */
  command(command: DesktopCommand, window = this.#windowFor(command)): void {
    const { webContents } = this.show(window ?? undefined);
    const state = this.#pages.get(webContents.id);
    if (state === undefined) return;
    if (state.ready) webContents.send(CHANNELS.command, command);
    else state.waiting.push(command);
  }

  /** The window that shows a project; null for none. */
  ofProject(projectId: string): BrowserWindow | null {
    return [...this.#pages.values()].find(({ project }) => project === projectId)?.window ?? null;
  }

  hear(contents: WebContents, fact: PageFact): void {
    const state = this.#pages.get(contents.id);
    if (state === undefined) return;
    if (fact.type === 'theme') nativeTheme.themeSource = fact.theme;
    else if (fact.type === 'ready') this.#begin(state);
    else if (state.ready) {
      state.conversation = fact.conversation_id;
      state.project = fact.project_id;
      this.#parts.looksChanged();
      this.remember();
    } else state.project = fact.project_id;
  }

  /** The conversation in the window that has the focus; null without one. */
  looksAt(): string | null {
    const focused = BrowserWindow.getFocusedWindow();
    return focused === null ? null : (this.#pages.get(focused.webContents.id)?.conversation ?? null);
  }

  hideAll(): void {
    for (const { window } of this.#pages.values()) window.hide();
  }

  /** Keeps what is open for the next start; while the app quits once, before the first of them closes. */
  remember(): void {
    if (this.#isKept) return;
    this.#isKept = this.#parts.isQuitting();
    this.#parts.memory.write(
      [...this.#pages.values()].map(({ window, conversation }): RememberedWindow => {
        return { place: placeOf(window), conversation_id: conversation };
      }),
    );
  }

  /** The page hears from now on. All pages keep one state: each is brought to what its own window showed. */
  #begin(state: PageState): void {
    const { webContents } = state.window;
    state.ready = true;
    const { conversation: conversation_id } = state;
    if (conversation_id !== null && state.waiting.length === 0)
      state.waiting.push({ type: 'open_node', conversation_id, delegation_id: null, run_id: null });
    for (const command of state.waiting.splice(0)) webContents.send(CHANNELS.command, command);
  }

  #windowFor(command: DesktopCommand): BrowserWindow | null {
    if (command.type !== 'open_node') return null;
    const shows = [...this.#pages.values()].filter(({ conversation }) => conversation === command.conversation_id);
    return (shows.find(({ window }) => window === this.#last) ?? shows[0])?.window ?? null;
  }

  #open(place: WindowState | null, conversation: string | null): BrowserWindow {
    const window = openWindow(this.#parts.preload, place);
    const { id } = window.webContents;
    const state: PageState = { window, ready: false, conversation, project: null, waiting: [] };
    this.#pages.set(id, state);
    this.#last = window;
    window.once('show', () => this.#painted.add(window));
    window.on('focus', () => {
      this.#last = window;
      this.#parts.looksChanged();
    });
    window.on('blur', () => {
      this.#parts.looksChanged();
      this.remember();
    });
    window.on('close', (event) => this.#closes(event, window));
    window.on('closed', () => {
      this.#pages.delete(id);
      if (this.#last === window) this.#last = [...this.#pages.values()].at(-1)?.window ?? null;
      // The last one is what the next start opens.
      if (this.#pages.size > 0) this.remember();
    });
    // A page that loads again hears nothing until it says so.
    window.webContents.on('did-start-loading', () => (state.ready = false));
    return window;
  }

  #closes(event: { preventDefault(): void }, window: BrowserWindow): void {
    this.remember();
    const others = [...this.#pages.values()].filter((one) => one.window !== window && one.window.isVisible());
    if (this.#parts.isQuitting() || others.length > 0 || !this.#parts.lastCloses()) return;
    event.preventDefault();
    window.hide();
    this.#parts.looksChanged();
  }
}

function placeOf(window: BrowserWindow): WindowState {
  return { ...window.getNormalBounds(), maximized: window.isMaximized() };
}
