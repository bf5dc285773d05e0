import { expect, type Locator, type Page } from '@playwright/test';

/** What can be done again: the menu of a set, templates, and reviews. */
export class History {
  readonly #page: Page;
  readonly templates: Locator;
  readonly save: Locator;
  readonly review: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.templates = page.getByRole('dialog', { name: 'Templates' });
    this.save = page.getByRole('dialog', { name: 'Save as template' });
    this.review = page.getByRole('dialog', { name: 'Review by another agent' });
  }

  /** Chooses something from the menu of a set, at its card or in the inspector. */
  async choose(place: Locator, set: number, action: string | RegExp): Promise<void> {
    // The actions of a card show while the pointer is on it.
    await place.hover();
    await place.getByRole('button', { name: `More for set ${set}` }).click();
    await this.#page.getByRole('menuitem', { name: action }).click();
  }

  async openTemplates(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+k');
    // What is typed before the palette has the focus goes nowhere.
    await expect(this.#page.locator('[cmdk-input]')).toBeFocused();
    await this.#page.keyboard.type('templates');
    await this.#page.getByRole('option', { name: 'Templates…' }).click();
    await this.templates.waitFor();
  }

  template(name: string): Locator {
    return this.templates.getByRole('listitem').filter({ hasText: name });
  }

  async act(name: string, action: 'Rename' | 'Delete'): Promise<void> {
    await this.templates.getByRole('button', { name: `${action} ${name}`, exact: true }).click();
  }
}
