import type { Locator, Page } from '@playwright/test';

/** The right pane: the selected run or set. */
export class Inspector {
  readonly root: Locator;

  constructor(page: Page) {
    this.root = page.getByRole('complementary', { name: 'Inspector' });
  }

  get title(): Locator {
    return this.root.getByRole('heading', { level: 2 }).first();
  }

  /** The panel of the tab that is shown. */
  get panel(): Locator {
    return this.root.getByRole('tabpanel');
  }

  async show(tab: 'Transcript' | 'Result' | 'Changes' | 'Prompt' | 'Process'): Promise<void> {
    await this.root.getByRole('tab', { name: tab }).click();
  }

  get steerBox(): Locator {
    return this.root.getByRole('textbox', { name: 'Steer this run' });
  }

  /** The box while the run is a lead that waits for its next message. */
  get messageBox(): Locator {
    return this.root.getByRole('textbox', { name: 'Message to the lead' });
  }

  /** A message to the run, with where it stands. */
  steer(text: string): Locator {
    return this.root
      .getByRole('list', { name: 'Messages to this run' })
      .getByRole('listitem')
      .filter({ hasText: text });
  }

  /** The open permission of the selected run. */
  get ask(): Locator {
    return this.root.getByRole('region', { name: 'This run asks you' });
  }

  /** A button of the tab that is shown. */
  button(name: string | RegExp): Locator {
    return this.panel.getByRole('button', { name });
  }

  /** Chooses from the menu of a button. */
  async choose(button: string | RegExp, item: string): Promise<void> {
    await this.root.getByRole('button', { name: button }).click();
    await this.root.page().getByRole('menuitem', { name: item }).click();
  }

  get stop(): Locator {
    return this.root.getByRole('button', { name: /^Stop / });
  }
}
