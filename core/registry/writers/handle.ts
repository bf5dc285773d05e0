import { err, type Result } from '../../kit/result.ts';
import type { Durability } from './connection.ts';
import type { ReadDb, WriteDb } from './db.ts';
import { storageError, type StorageError } from './storage-error.ts';
import type { Writer } from './writer.ts';

/** One holder's hold on the writer of a file (D1). */
export interface WriterHandle {
  /** The resolved path of the file. */
  readonly path: string;
  /** 1 for the first opening of this path, one more for each later one; so never the same for a replaced file. */
  readonly generation: number;
  /** Reads on the writing connection, between transactions; throws what SQLite throws. Long reads belong to the reader. */
  readonly db: ReadDb;
  /** As `db`, with storage failures as values. */
  read<T>(read: (db: ReadDb) => T): Result<T, StorageError>;
  /**
   * One transaction (`BEGIN IMMEDIATE` … `COMMIT`), in the order of the calls of all holders; on a free writer it has
   * been committed when the call returns. `tx` must be synchronous and without effects outside the database: it is run
   * again if a lock held elsewhere made SQLite roll it back. A throw in `tx` rolls back and rejects (a bug). A lock held
   * outside is waited for without end and without blocking; all other storage failures come back as values.
   * Durability: `normal` *(default)* survives `kill -9`, `full` also power loss; it looks at the file's identity as well.
   */
  write<T>(tx: (db: WriteDb) => T, opts?: { readonly durability?: Durability }): Promise<Result<T, StorageError>>;
  /**
   * Finishes this holder's writes and gives up its hold; others go on. The last close copies the log into the database
   * in a thread; whoever acquires the path meanwhile gets the same writer back at once. Further calls change nothing.
   */
  close(): Promise<void>;
}

/** A new hold on `writer`. */
export function createHandle(writer: Writer): WriterHandle {
  writer.hold();
  let closing: Promise<void> | null = null;
  // The lane is in order: when the last write of this holder has ended, all have.
  let last: Promise<unknown> = Promise.resolve();
  return {
    path: writer.path,
    generation: writer.generation,
    db: writer.db,
    read: (read) => (closing === null ? writer.read(read) : err(storageError('storage_closed', writer.path))),
    write(tx, opts) {
      if (closing !== null) return Promise.resolve(err(storageError('storage_closed', writer.path)));
      const written = writer.write(tx, opts?.durability ?? 'normal');
      last = written;
      return written;
    },
    close() {
      closing ??= Promise.allSettled([last]).then(() => writer.release());
      return closing;
    },
  };
}
