import type { Locator, Page } from '@playwright/test';

/** The box for a lead's prompt, at the home screen and at the foot of a conversation. */
export class Composer {
  readonly root: Locator;
  /** What an `@` can become. */
  readonly completions: Locator;
  /** The images that go along. */
  readonly images: Locator;

  constructor(page: Page) {
    this.root = page.getByRole('form', { name: 'Message to the lead' });
    this.completions = this.root.getByRole('listbox', { name: 'Files, agents and runs' });
    this.images = this.root.getByRole('list', { name: 'Images that go along' });
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

  completion(text: string): Locator {
    return this.completions.getByRole('option').filter({ hasText: text });
  }

  /** Pastes a file that says it is a PNG into the box, as the system would. */
  async pasteImage(name: string, base64: string): Promise<void> {
    await this.#hand('paste', name, base64);
  }

  /** Drops one on the box. */
  async dropImage(name: string, base64: string): Promise<void> {
    await this.#hand('drop', name, base64);
  }

  async #hand(type: 'paste' | 'drop', name: string, base64: string): Promise<void> {
    await this.box.evaluate(
      (box, given) => {
        const bytes = Uint8Array.from(atob(given.base64), (character) => character.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], given.name, { type: 'image/png' }));
        const how = { bubbles: true, cancelable: true };
        box.dispatchEvent(
          given.type === 'paste'
            ? new ClipboardEvent('paste', { ...how, clipboardData: transfer })
            : new DragEvent('drop', { ...how, dataTransfer: transfer }),
        );
      },
      { type, name, base64 },
    );
  }
}
