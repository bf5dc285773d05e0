import type { Locator, Page } from '@playwright/test';

/** The settings over the tree. */
export class SettingsPage {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.getByRole('main', { name: 'Settings' });
  }

  /** Opens them by their key. */
  async open(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+,');
    await this.root.waitFor();
  }

  get search(): Locator {
    return this.root.getByRole('textbox', { name: 'Search the settings' });
  }

  /** Chooses a section from the list at the left; answers it. */
  async go(name: string): Promise<Locator> {
    await this.root.getByRole('navigation').getByRole('button', { name, exact: true }).click();
    const section = this.section(name);
    await section.waitFor();
    return section;
  }

  section(name: string): Locator {
    return this.root.getByRole('region', { name, exact: true });
  }

  /** A small text like a number of a limit, by the name of the setting. */
  field(name: string): Locator {
    return this.root.getByRole('textbox', { name, exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.root.getByRole('button', { name });
  }

  get close(): Locator {
    return this.root.getByRole('button', { name: 'Close the settings' });
  }
}
