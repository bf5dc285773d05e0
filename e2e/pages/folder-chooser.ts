import type { Locator, Page } from '@playwright/test';

/** The core's own folder chooser. */
export class FolderChooser {
  readonly root: Locator;

  constructor(page: Page) {
    this.root = page.getByRole('dialog', { name: /^Attach / });
  }

  folder(name: string): Locator {
    return this.root.getByRole('option', { name });
  }

  get path(): Locator {
    return this.root.getByRole('textbox', { name: 'Path' });
  }

  async attach(): Promise<void> {
    await this.root.getByRole('button', { name: /^Attach / }).click();
    await this.root.waitFor({ state: 'detached' });
  }
}
