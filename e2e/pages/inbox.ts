import type { Locator, Page } from '@playwright/test';

/** Every open permission and question of the app. */
export class Inbox {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.getByLabel('Inbox', { exact: true });
  }

  async open(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+i');
    await this.root.waitFor();
  }

  /** The asks, oldest first. */
  get asks(): Locator {
    return this.root.locator('[data-ask]');
  }

  get current(): Locator {
    return this.root.locator('[data-ask][aria-current="true"]');
  }
}
