import type { Locator, Page } from '@playwright/test';

/** The delegation tree of the open conversation. */
export class Tree {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.getByRole('tree', { name: 'Delegation tree' });
  }

  /** Header of a set's card. */
  set(number: number): Locator {
    return this.root.getByRole('treeitem', { name: new RegExp(`^set ${number} · `) });
  }

  /** Row of the run with this label, or goal. */
  row(label: string): Locator {
    return this.root
      .getByRole('treeitem', { level: undefined })
      .filter({ has: this.#page.locator('.run-label', { hasText: label }) });
  }

  /** The row while it has this status. */
  rowThat(label: string, status: string): Locator {
    return this.row(label).filter({ has: this.#page.getByRole('img', { name: status, exact: true }) });
  }

  /** The item that has the keyboard. */
  get focused(): Locator {
    return this.root.locator('[role="treeitem"]:focus');
  }

  /** Where the edge of a live nested set leaves its row. */
  get joint(): Locator {
    return this.root.locator('.tree-wires circle');
  }

  /** The lead at the root. */
  get lead(): Locator {
    return this.root.getByRole('treeitem').and(this.#page.locator('.tree-root'));
  }

  async open(label: string): Promise<void> {
    await this.row(label).click();
  }

  /** Presses the stop of a row; it shows while the pointer is on it. */
  async stop(label: string): Promise<void> {
    await this.row(label).hover();
    await this.row(label)
      .getByRole('button', { name: `Stop ${label}` })
      .click();
  }
}
