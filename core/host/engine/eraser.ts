import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { eraseSome, readErased, surplusPages } from '../../registry/store/erase.ts';
import type { WriteDb } from '../../registry/writers/db.ts';
import type { StorageLink } from './storage-link.ts';
import { UnreadableStorage } from './storage-link.ts';

// A slice takes the loop some 5 ms; nobody waits for it.
const ROWS_A_SLICE = 300;
const PAGES_A_SLICE = 256;
const REST_MS = 25;
const RETRY_MS = 5000;

/**
 * Erases the rows of conversations that are gone, and gives their pages back, a slice at a time: 100,000 entries in one transaction
 * would hold everything up for a second.
 *
 * | state   | wake    | timer   | written, more | written, all | failed      | close   |
 * | ------- | ------- | ------- | ------------- | ------------ | ----------- | ------- |
 * | at rest | waiting | –       | –             | –            | –           | closed  |
 * | waiting | waiting | writing | –             | –            | –           | closed  |
 * | writing | once more | –     | waiting       | at rest      | waiting, 5 s | closed after it |
 */
export class Eraser {
  readonly #storage: Pick<StorageLink, 'read' | 'write' | 'erased'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #cancel: CancelTimer | null = null;
  #writing: Promise<void> | null = null;
  #isClosed = false;
  /** Woken while a slice was at it, which may have looked before. */
  #isWoken = false;

  constructor(
    storage: Pick<StorageLink, 'read' | 'write' | 'erased'>,
    { clock, logger }: { clock: Clock; logger: Logger },
  ) {
    this.#storage = storage;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** There may be something to erase: a conversation went, or the project was opened. */
  wake(): void {
    this.#isWoken = true;
    if (this.#writing === null) this.#after(REST_MS);
  }

  /** Resolves when nothing is being written; what is left is erased at the next opening. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#writing;
  }

  #after(ms: number): void {
    if (this.#isClosed) return;
    this.#cancel ??= this.#clock.after(ms, () => {
      this.#cancel = null;
      this.#isWoken = false;
      this.#writing = this.#slice().then((next) => {
        this.#writing = null;
        if (next !== null || this.#isWoken) this.#after(next ?? REST_MS);
      });
    });
  }

  /** When the next slice is due, or null when there is nothing more. */
  async #slice(): Promise<number | null> {
    try {
      const work = this.#storage.read((db) => {
        const [id] = readErased(db);
        return id === undefined
          ? pagesOf(surplusPages(db))
          : (write: WriteDb): unknown => eraseSome(write, id, ROWS_A_SLICE);
      });
      if (work === null) return null;
      const written = await this.#storage.write(work, { durability: 'normal' });
      if (written.ok) this.#storage.erased();
      return written.ok ? REST_MS : RETRY_MS;
    } catch (thrown) {
      if (!(thrown instanceof UnreadableStorage))
        this.#logger.error({ error: String(thrown) }, 'rows could not be erased');
      return RETRY_MS;
    }
  }
}

function pagesOf(surplus: number): ((db: WriteDb) => unknown) | null {
  return surplus === 0 ? null : (db) => db.compact(Math.min(surplus, PAGES_A_SLICE));
}
