import { expect, type Locator, type Page } from '@playwright/test';

/** The bottom panel with its terminals. */
export class Terminals {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.getByRole('region', { name: 'Terminals' });
  }

  /** Shows or hides the panel by its key. */
  async toggle(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+j');
  }

  /** The screen of the terminal that is shown. */
  get screen(): Locator {
    return this.root.getByRole('group', { name: /^Terminal in / });
  }

  get tabs(): Locator {
    return this.root.getByRole('tab');
  }

  get border(): Locator {
    return this.root.getByRole('separator', { name: 'Height of the terminals' });
  }

  button(name: string | RegExp): Locator {
    return this.root.getByRole('button', { name });
  }

  /** Types a line into the terminal that is shown, once it has the focus: what is typed before goes nowhere. */
  async type(line: string): Promise<void> {
    await expect(this.screen.getByRole('textbox')).toBeFocused();
    await this.#page.keyboard.type(line);
    await this.#page.keyboard.press('Enter');
  }
}
