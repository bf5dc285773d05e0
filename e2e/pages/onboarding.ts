import type { Locator, Page } from '@playwright/test';

/** The first start. */
export class Onboarding {
  readonly root: Locator;

  constructor(page: Page) {
    this.root = page.getByLabel('First start', { exact: true });
  }

  async chooseFolder(): Promise<void> {
    await this.root.getByRole('button', { name: 'Choose a folder' }).click();
  }

  async startDemo(): Promise<void> {
    await this.root.getByRole('button', { name: 'Watch the scripted demo' }).click();
  }

  run(count: number): Locator {
    return this.root.getByRole('button', { name: `Run ${count} tasks as set 1` });
  }
}
