import type { Locator, Page } from '@playwright/test';

/** The box for a lead's prompt, at the home screen and at the foot of a conversation. */
export class Composer {
  readonly root: Locator;

  constructor(page: Page) {
    this.root = page.getByRole('form', { name: 'Message to the lead' });
  }

  get box(): Locator {
    return this.root.getByRole('textbox', { name: 'Message to the lead' });
  }

  async send(text: string): Promise<void> {
    await this.box.fill(text);
    await this.root.getByRole('button', { name: 'Send' }).click();
  }

  async openBatch(): Promise<void> {
    await this.root.getByRole('button', { name: 'Batch' }).click();
  }
}
