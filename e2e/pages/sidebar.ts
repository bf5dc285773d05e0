import type { Locator, Page } from '@playwright/test';

/** The left pane. */
export class Sidebar {
  readonly root: Locator;

  constructor(page: Page) {
    this.root = page.getByRole('navigation', { name: 'Sidebar' });
  }

  section(name: 'Needs you' | 'Working' | 'Recent' | 'Projects'): Locator {
    return this.root.getByRole('region', { name });
  }

  /** An entry of a section: the whole line is its button. */
  entry(section: 'Needs you' | 'Working' | 'Recent' | 'Projects', text: string): Locator {
    return this.section(section).getByRole('button').filter({ hasText: text });
  }

  /** Opens a conversation, wherever it is listed. */
  async open(title: string): Promise<void> {
    await this.entry('Working', title)
      .or(this.entry('Recent', title))
      .or(this.entry('Needs you', title))
      .first()
      .click();
  }

  get search(): Locator {
    return this.root.getByRole('textbox', { name: 'Search conversations' });
  }

  get inbox(): Locator {
    return this.root.getByRole('button', { name: 'Inbox' });
  }
}
