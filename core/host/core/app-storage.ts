import type { Result } from '../../kit/result.ts';
import type { ReadDb, WriteDb } from '../../registry/writers/db.ts';
import type { WriterHandle } from '../../registry/writers/handle.ts';
import type { WriterRegistry } from '../../registry/writers/registry.ts';
import type { StorageError } from '../../registry/writers/storage-error.ts';

/**
 * `app.db`. It holds nothing that cannot be written again (DESIGN, Storage): when the file is moved, deleted or replaced, the next write opens
 * what is there, or a new file, and first writes everything anew that this core knows.
 */
export class AppStorage {
  readonly #registry: WriterRegistry;
  #handle: WriterHandle;
  readonly #rebuilds = new Set<(db: WriteDb) => void>();

  constructor(registry: WriterRegistry, handle: WriterHandle) {
    this.#registry = registry;
    this.#handle = handle;
  }

  /** For the start; nothing is read later. */
  get db(): ReadDb {
    return this.#handle.db;
  }

  /** Has `rebuild` called, in a transaction, on a file that is not the one that was written to. */
  onReplaced(rebuild: (db: WriteDb) => void): void {
    this.#rebuilds.add(rebuild);
  }

  async write<T>(tx: (db: WriteDb) => T): Promise<Result<T, StorageError>> {
    // Few and small, and what is written here is a person's doing: durable, and with a look at the file itself.
    const written = await this.#handle.write(tx, { durability: 'full' });
    if (written.ok || written.error.code !== 'storage_replaced') return written;
    const opened = await this.#registry.acquire(this.#handle.path);
    if (!opened.ok) return opened;
    const before = this.#handle;
    this.#handle = opened.value;
    await before.close();
    const rebuilt = (db: WriteDb): T => {
      for (const rebuild of this.#rebuilds) rebuild(db);
      return tx(db);
    };
    return this.#handle.write(rebuilt, { durability: 'full' });
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
