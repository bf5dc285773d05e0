import { expect, type Locator, type Page } from '@playwright/test';
import { BatchEditor } from './batch-editor.ts';
import { Composer } from './composer.ts';
import { FolderChooser } from './folder-chooser.ts';
import { History } from './history.ts';
import { Inbox } from './inbox.ts';
import { Inspector } from './inspector.ts';
import { Onboarding } from './onboarding.ts';
import { Search } from './search.ts';
import { SettingsPage } from './settings.ts';
import { Sidebar } from './sidebar.ts';
import { Terminals } from './terminals.ts';
import { Tree } from './tree.ts';
import { Views } from './views.ts';

/** What lies on a drag: paths of files and folders on disk, or a text. */
export interface Dropped {
  readonly paths?: readonly string[];
  readonly text?: string;
}

/** The whole app in a page, whatever hosts it. */
export class App {
  readonly page: Page;
  readonly sidebar: Sidebar;
  readonly tree: Tree;
  readonly views: Views;
  readonly inspector: Inspector;
  readonly composer: Composer;
  readonly batch: BatchEditor;
  readonly inbox: Inbox;
  readonly folders: FolderChooser;
  readonly onboarding: Onboarding;
  readonly search: Search;
  readonly history: History;
  readonly terminals: Terminals;
  readonly settings: SettingsPage;

  constructor(page: Page) {
    this.page = page;
    this.sidebar = new Sidebar(page);
    this.tree = new Tree(page);
    this.views = new Views(page);
    this.inspector = new Inspector(page);
    this.composer = new Composer(page);
    this.batch = new BatchEditor(page);
    this.inbox = new Inbox(page);
    this.folders = new FolderChooser(page);
    this.onboarding = new Onboarding(page);
    this.search = new Search(page);
    this.history = new History(page);
    this.terminals = new Terminals(page);
    this.settings = new SettingsPage(page);
  }

  /** Project and conversation in the title bar. */
  get heading(): Locator {
    return this.page.getByRole('banner').getByRole('heading', { level: 1 });
  }

  /** Messages that say what became of something the user did. */
  toast(text: string | RegExp): Locator {
    return this.page.getByRole('region', { name: /Notifications/ }).getByText(text);
  }

  /** Opens the address that `serve` printed, and waits until the page is live. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.untilLive();
  }

  /** The page says `Saved` once it has a line to the core and its first snapshot. */
  async untilLive(): Promise<void> {
    await this.page.getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.untilLive();
  }

  get palette(): Locator {
    return this.page.getByRole('dialog', { name: 'Command palette' });
  }

  /** Opens the palette by its key and types into it. */
  async typeInPalette(words: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+k');
    // What is typed before the palette has the focus goes nowhere.
    await expect(this.palette.getByRole('combobox')).toBeFocused();
    await this.page.keyboard.type(words);
  }

  /** Drops something near the top of the centre, beside every field, as the system would. */
  async drop({ paths = [], text }: Dropped): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const { width, height } = this.page.viewportSize() ?? { width: 0, height: 0 };
    const at = { x: width / 2, y: height / 8 };
    const data = {
      items: text === undefined ? [] : [{ mimeType: 'text/plain', data: text }],
      files: [...paths],
      dragOperationsMask: 1,
    };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, ...at, data });
    await session.detach();
  }

  /** Puts a text on the clipboard and pastes it while no field has the focus. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await this.heading.click();
    await this.page.keyboard.press('ControlOrMeta+v');
  }

  /** Makes the page light or dark by its own setting. */
  async chooseTheme(theme: 'Light' | 'Dark' | 'Like the system'): Promise<void> {
    await this.page.getByRole('button', { name: 'Theme', exact: true }).click();
    await this.page
      .getByRole('menuitemradio', { name: theme })
      .or(this.page.getByRole('menuitem', { name: theme }))
      .click();
  }
}
