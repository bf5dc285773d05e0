import type { Locator, Page } from '@playwright/test';

/** The views of a conversation beside the tree: list, board, timeline, and the comparison of two runs. */
export class Views {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** One choice of the switch in the title bar. */
  choice(name: 'Tree' | 'List' | 'Board' | 'Timeline'): Locator {
    return this.#page.getByRole('radiogroup', { name: 'View' }).getByRole('radio', { name });
  }

  async show(name: 'Tree' | 'List' | 'Board' | 'Timeline'): Promise<void> {
    await this.choice(name).click();
  }

  get list(): Locator {
    return this.#page.getByRole('treegrid', { name: 'Runs as a list' });
  }

  get timeline(): Locator {
    return this.#page.getByRole('treegrid', { name: 'Runs over time' });
  }

  /** A row of the list or timeline, by words in it. */
  row(words: string | RegExp): Locator {
    return this.list.or(this.timeline).getByRole('row').filter({ hasText: words });
  }

  /** Labels of the runs of the list, from top to bottom. */
  get labels(): Locator {
    return this.list.locator('.row-label');
  }

  head(column: string): Locator {
    return this.list.getByRole('columnheader', { name: column });
  }

  column(name: 'Queued' | 'Working' | 'Needs you' | 'Ended'): Locator {
    return this.#page.getByRole('region', { name: new RegExp(`^${name}, `) });
  }

  card(label: string): Locator {
    return this.#page.getByRole('article', { name: label });
  }

  get filterText(): Locator {
    return this.#page.getByRole('textbox', { name: 'Filter by text' });
  }

  filter(name: 'Status' | 'Agent' | 'Set'): Locator {
    return this.#page.getByRole('search', { name: 'Filter' }).getByRole('combobox', { name });
  }

  get replay(): Locator {
    return this.#page.getByRole('group', { name: 'Replay', exact: true });
  }

  /** Shows the replay in a view that has it on demand. */
  get replayButton(): Locator {
    return this.#page.getByRole('button', { name: 'Replay', exact: true });
  }

  get scrubber(): Locator {
    return this.replay.getByRole('slider', { name: 'Moment' });
  }

  get comparison(): Locator {
    return this.#page.getByRole('dialog', { name: 'Compare two runs' });
  }

  /** A line of the comparison. */
  fact(name: string): Locator {
    return this.comparison.getByRole('row').filter({ has: this.#page.getByRole('rowheader', { name, exact: true }) });
  }
}
