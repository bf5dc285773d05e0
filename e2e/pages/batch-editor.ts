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
    return this.choice('Agent', number);
  }

  /** One of the lists of a task. */
  choice(what: 'Agent' | 'Model' | 'Isolation', number: number): Locator {
    return this.root.getByRole('combobox', { name: `${what} of task ${number}`, exact: true });
  }

  /** A text of a task beside its goal. */
  text(what: 'Label' | 'Context', number: number): Locator {
    return this.root.getByRole('textbox', { name: `${what} of task ${number}`, exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.root.getByRole('button', { name });
  }

  /** A text of what holds for all tasks. */
  common(name: string): Locator {
    return this.root.getByRole('region', { name: 'For all tasks' }).getByRole('textbox', { name });
  }

  /** The row of a task, with what is wrong with it. */
  row(number: number): Locator {
    return this.root
      .getByRole('row')
      .filter({ has: this.#page.getByRole('textbox', { name: `Goal of task ${number}`, exact: true }) });
  }

  /** The images and files that go along with a task. */
  attachments(number: number): Locator {
    return this.root.getByRole('list', { name: `Goes along with task ${number}`, exact: true });
  }

  /** Chooses from the menu of a task. */
  async choose(number: number, action: string): Promise<void> {
    await this.root.getByRole('button', { name: `Actions for task ${number}`, exact: true }).click();
    await this.#page.getByRole('menuitem', { name: action }).click();
  }

  /** Drops files with any names on a place of the page; the system’s own files cannot have all of them. */
  async dropFiles(files: readonly { readonly name: string; readonly text: string }[], place = 'main'): Promise<void> {
    await this.#page
      .locator(place)
      .first()
      .evaluate((target, given) => {
        const transfer = new DataTransfer();
        for (const { name, text } of given) transfer.items.add(new File([text], name, { type: 'text/plain' }));
        const how = { bubbles: true, cancelable: true, dataTransfer: transfer };
        target.dispatchEvent(new DragEvent('drop', how));
      }, files);
  }

  /** Pastes a file that says it is a PNG into the goal of a task, as the system would. */
  async pasteImage(number: number, name: string, base64: string): Promise<void> {
    await this.goal(number).evaluate(
      (goal, given) => {
        const bytes = Uint8Array.from(atob(given.base64), (character) => character.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], given.name, { type: 'image/png' }));
        goal.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: transfer }));
      },
      { name, base64 },
    );
  }

  /** The drafts that made way for the open one. */
  get aside(): Locator {
    return this.root.getByRole('region', { name: /earlier drafts? put aside$/ });
  }

  get title(): Locator {
    return this.root.getByRole('textbox', { name: 'Title of the batch' });
  }

  run(set: number): Locator {
    return this.root.getByRole('button', { name: `Run as set ${set}` });
  }
}
