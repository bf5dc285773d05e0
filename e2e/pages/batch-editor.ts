import type { Locator, Page } from '@playwright/test';

/** The batch editor. */
export class BatchEditor {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.getByLabel('Batch editor', { exact: true });
  }

  goal(number: number): Locator {
    return this.root.getByRole('textbox', { name: `Goal of task ${number}`, exact: true });
  }

  get goals(): Locator {
    return this.root.getByRole('textbox', { name: /^Goal of task / });
  }

  agent(number: number): Locator {
    return this.root.getByRole('combobox', { name: `Agent of task ${number}`, exact: true });
  }

  /** The row of a task, with what is wrong with it. */
  row(number: number): Locator {
    return this.root
      .getByRole('row')
      .filter({ has: this.#page.getByRole('textbox', { name: `Goal of task ${number}`, exact: true }) });
  }

  get title(): Locator {
    return this.root.getByRole('textbox', { name: 'Title of the batch' });
  }

  run(set: number): Locator {
    return this.root.getByRole('button', { name: `Run as set ${set}` });
  }
}
