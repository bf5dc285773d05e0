import type { Locator, Page } from '@playwright/test';

/** The search over everything. */
export class Search {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.getByRole('dialog', { name: 'Search everything' });
  }

  /** By its key, from anywhere. */
  async open(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+Shift+f');
    await this.box.waitFor();
  }

  get box(): Locator {
    return this.root.getByRole('combobox', { name: 'Words to search for' });
  }

  get scope(): Locator {
    return this.root.getByRole('combobox', { name: 'Where to search' });
  }

  get status(): Locator {
    return this.root.getByRole('status');
  }

  /** The hits of one conversation. */
  group(title: string): Locator {
    return this.root.getByRole('group', { name: title });
  }

  hit(text: string | RegExp): Locator {
    return this.root.getByRole('listbox', { name: 'What was found' }).getByRole('option').filter({ hasText: text });
  }

  /** The hit that Enter opens. */
  get current(): Locator {
    return this.root.locator('[role="option"][aria-selected="true"]');
  }
}
