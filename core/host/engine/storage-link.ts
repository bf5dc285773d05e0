import { err, type Result } from '../../kit/result.ts';
import type { ReadDb, SqlParams } from '../../registry/writers/db.ts';
import type { WriterHandle } from '../../registry/writers/handle.ts';
import type { StorageError } from '../../registry/writers/storage-error.ts';
import type { Flush } from './flush.ts';

/** The database cannot be read now. Thrown inside the core, which turns it into a refusal and tries again. */
export class UnreadableStorage extends Error {
  readonly storage: StorageError;
  constructor(storage: StorageError) {
    super(storage.message);
    this.name = 'UnreadableStorage';
    this.storage = storage;
  }
}

/** How a link to a file that was replaced is taken up again: the file that is there now, or null while there is none. */
export type Reopen = () => Promise<Result<WriterHandle, StorageError> | null>;

/** More than are ever at work at once. */
const ATTEMPTS_REMEMBERED = 1000;

/**
 * An engine's way to its database, over generations of the file (D1, D6): one that was moved, deleted or replaced refuses everything until there
 * is a file again, which is then opened without a restart.
 */
export class StorageLink {
  #writer: WriterHandle;
  readonly #reopen: Reopen;
  #refusal: StorageError | null = null;
  #lastEvent: number;
  readonly #committed = new Map<string, number>();
  /** Reads between transactions; every method throws {@link UnreadableStorage}. */
  readonly db: ReadDb;

  constructor(writer: WriterHandle, reopen: Reopen) {
    this.#writer = writer;
    this.#reopen = reopen;
    this.#lastEvent = this.read(lastEvent);
    this.db = {
      prepare: <Row>(sql: string) => this.read((db) => db.prepare<Row>(sql)),
      get: <Row>(sql: string, ...params: SqlParams) => this.read((db) => db.get<Row>(sql, ...params)),
      all: <Row>(sql: string, ...params: SqlParams) => this.read((db) => db.all<Row>(sql, ...params)),
      iterate: <Row>(sql: string, ...params: SqlParams) => this.read((db) => db.iterate<Row>(sql, ...params)),
    };
  }

  get path(): string {
    return this.#writer.path;
  }

  /** The file is not the one that was opened; nothing works until {@link reopen}. */
  get isReplaced(): boolean {
    return this.#refusal !== null;
  }

  /** Throws {@link UnreadableStorage}. */
  read<T>(read: (db: ReadDb) => T): T {
    const result = this.#writer.read(read);
    if (!result.ok) throw new UnreadableStorage(this.#noted(result.error));
    return result.value;
  }

  async write(tx: Parameters<WriterHandle['write']>[0], options: Parameters<WriterHandle['write']>[1]) {
    const written = await this.#writer.write(tx, options);
    if (!written.ok) this.#noted(written.error);
    return written;
  }

  /** What was just committed, so that a file can be told from another one that holds less. */
  committed(flush: Flush): void {
    for (const [attempt, seq] of flush.committed) {
      this.#committed.delete(attempt);
      this.#committed.set(attempt, seq);
    }
    // Of those that have been silent for long the last event speaks.
    const surplus = this.#committed.size - ATTEMPTS_REMEMBERED;
    for (const attempt of surplus > 0 ? [...this.#committed.keys()].slice(0, surplus) : [])
      this.#committed.delete(attempt);
    const last = flush.events.length > 0 ? this.#writer.read(lastEvent) : null;
    if (last?.ok === true) this.#lastEvent = last.value;
  }

  /** Rows went that were committed before: what the file holds now is what it has to hold. */
  erased(): void {
    this.#committed.clear();
    const last = this.#writer.read(lastEvent);
    if (last.ok) this.#lastEvent = last.value;
  }

  /**
   * Opens the file that is at the path now. `same`: it holds everything that was committed, as after a move there and back; otherwise it is another
   * one, such as a backup, and what memory has does not belong to it.
   */
  async reopen(): Promise<Result<{ readonly same: boolean }, StorageError>> {
    const refusal = this.#refusal;
    if (refusal === null) return { ok: true, value: { same: true } };
    const opened = await this.#reopen();
    if (opened === null) return err(refusal);
    if (!opened.ok) return opened;
    const held = opened.value.read((db) => this.#holdsEverything(db));
    if (!held.ok) {
      await opened.value.close();
      return held;
    }
    const before = this.#writer;
    this.#writer = opened.value;
    this.#refusal = null;
    this.#committed.clear();
    await before.close();
    this.#lastEvent = this.read(lastEvent);
    return { ok: true, value: { same: held.value } };
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #noted(error: StorageError): StorageError {
    if (error.code === 'storage_replaced') this.#refusal = error;
    return error;
  }

  #holdsEverything(db: ReadDb): boolean {
    if (lastEvent(db) !== this.#lastEvent) return false;
    return [...this.#committed].every(([attempt, seq]) => {
      const sql = 'SELECT committed_seq FROM attempts WHERE attempt_id = ?';
      const found = db.get<{ committed_seq: number }>(sql, attempt);
      return found !== undefined && found.committed_seq >= seq;
    });
  }
}

function lastEvent(db: ReadDb): number {
  return db.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM events')?.seq ?? 0;
}
