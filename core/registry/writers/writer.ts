import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Connection, Durability } from './connection.ts';
import { fileIdentity, sameFile } from './database-file.ts';
import type { ReadDb, WriteDb } from './db.ts';
import type { HealthKeeper } from './health.ts';
import { Lane } from './lane.ts';
import { setAsideSideFiles } from './set-aside.ts';
import { storageError, toStorageError, type StorageError } from './storage-error.ts';
import { writeHeader } from './write-header.ts';

/** What a writer needs from its registry. */
export interface WriterDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly health: HealthKeeper;
  readonly checkpoints: Checkpoints;
  readonly busyTimeoutMs: number;
  /** The writer can no longer be given out: forget it. */
  readonly onGone: (writer: Writer) => void;
}

// Often enough that a freed disk is noticed while somebody looks at the banner, rarely enough to cost nothing.
const PROBE_MS = 1000;

// Between two looks at the path, a replaced file goes unnoticed by `normal` writes for this long.
const IDENTITY_EVERY_MS = 100;

/**
 * One generation of one file: one connection, one lane of transactions, any number of holders. A file that is replaced
 * ends the generation; its successor is another writer.
 */
export class Writer {
  readonly path: string;
  readonly generation: number;
  readonly #connection: Connection;
  readonly #deps: WriterDeps;
  readonly #lane: Lane;
  #refusal: StorageError | null = null;
  #holders = 0;
  #checkedAt: number;
  #teardown: Promise<void> | null = null;
  #open = true;
  #accepting = true;
  #cancelProbe: CancelTimer | null = null;

  constructor(path: string, generation: number, connection: Connection, deps: WriterDeps) {
    this.path = path;
    this.generation = generation;
    this.#connection = connection;
    this.#deps = deps;
    this.#lane = new Lane(deps.clock, (waitedMs) => {
      // Waiting for our own checkpoint is no trouble of the user's.
      if (!deps.checkpoints.running) deps.health.stalled(waitedMs);
    });
    deps.checkpoints.onEnd(() => this.#lane.kick());
    this.#checkedAt = deps.clock.monotonic();
  }

  get db(): ReadDb {
    return this.#connection.read;
  }

  get holders(): number {
    return this.#holders;
  }

  get pending(): number {
    return this.#lane.pending;
  }

  get tearingDown(): boolean {
    return this.#teardown !== null;
  }

  /** Whether new holders may have it. Looks at the file, and retires the writer if it is another one. */
  usable(): boolean {
    return this.#refusal === null && this.#open && this.#accepting && !this.#retiredNow();
  }

  /** Whether `path` names the file this writer has open, by device and inode. */
  isSameFileAs(path: string): boolean {
    return this.#open && sameFile(this.#connection.files.database, fileIdentity(path));
  }

  hold(): void {
    this.#holders += 1;
  }

  /** Gives up one hold; the last one tears the writer down, off the loop, unless somebody takes hold of it meanwhile. */
  release(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders > 0 || !this.#open) return Promise.resolve();
    this.#teardown ??= this.#tearDown().finally(() => {
      this.#teardown = null;
    });
    return this.#teardown;
  }

  /** Runs `read` now, between transactions. */
  read<T>(read: (db: ReadDb) => T): Result<T, StorageError> {
    if (this.#refusal !== null) return err(this.#refusal);
    try {
      return ok(read(this.#connection.read));
    } catch (error) {
      return err(this.#expected(error));
    }
  }

  /** Queues one transaction. Rejects only with what `tx` itself threw. */
  write<T>(tx: (db: WriteDb) => T, durability: Durability): Promise<Result<T, StorageError>> {
    if (!this.#accepting) return Promise.resolve(err(storageError('storage_closed', this.path)));
    return new Promise((resolve, reject) => {
      this.#lane.push((retry) => {
        try {
          const result = this.#attempt(tx, durability, retry);
          if (result === 'busy') return 'busy';
          resolve(result);
        } catch (error) {
          reject(error);
        }
        return 'done';
      });
    });
  }

  /** Refuses new writes, finishes the accepted ones, closes. `giveUp` fails those that still wait for a lock. */
  async shutDown(giveUp: Promise<void>): Promise<void> {
    if (!this.#open) return this.#deps.checkpoints.settled();
    this.#accepting = false;
    this.#holders = 0;
    this.#cancelProbe?.();
    void giveUp.then(() => {
      this.#refusal ??= storageError('storage_busy', this.path);
      this.#lane.kick();
    });
    await this.#lane.whenIdle();
    this.#refusal ??= storageError('storage_closed', this.path);
    await (this.#teardown ?? this.#tearDown());
    await this.#deps.checkpoints.settled();
  }

  /** Resolves when nothing of this writer touches the file any more; only for one that is gone. */
  settled(): Promise<void> {
    return this.#deps.checkpoints.settled();
  }

  async #tearDown(): Promise<void> {
    await this.#lane.whenIdle();
    await this.#deps.checkpoints.drain();
    if (this.#holders > 0 || !this.#open) return;
    this.#refusal ??= storageError('storage_closed', this.path);
    this.#close();
    this.#deps.onGone(this);
  }

  #close(): void {
    this.#open = false;
    this.#cancelProbe?.();
    // The log is empty by now, or another connection is still open, or the file has moved: nothing is copied here.
    this.#connection.raw.close();
  }

  #attempt<T>(tx: (db: WriteDb) => T, durability: Durability, retry: number): Result<T, StorageError> | 'busy' {
    if (this.#refusal === null && (durability === 'full' || this.#identityIsStale())) this.#retiredNow();
    if (this.#refusal !== null) return err(this.#refusal);
    if (this.#deps.checkpoints.congested) return 'busy';
    // Only the first try may block, and not while our own checkpoint is what holds the lock.
    this.#connection.setWait(retry > 0 || this.#deps.checkpoints.running ? 0 : this.#deps.busyTimeoutMs);
    try {
      this.#connection.setDurability(durability);
      this.#connection.begin();
      const value = tx(this.#connection.write);
      if (isThenable(value)) throw new TypeError('A transaction function must be synchronous');
      this.#connection.commit();
      this.#deps.health.succeeded();
      this.#cancelProbe?.();
      this.#deps.checkpoints.committed();
      return ok(value);
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): { ok: false; error: StorageError } | 'busy' {
    const { raw } = this.#connection;
    // SQLite has already rolled back by itself after some errors.
    if (raw.open && raw.inTransaction) raw.exec('ROLLBACK');
    // The transaction function itself came across the replaced file.
    if (this.#refusal !== null) return err(this.#refusal);
    const expected = this.#expected(error);
    if (expected.code === 'storage_busy') return 'busy';
    this.#deps.health.failed(expected);
    this.#probeLater();
    return err(expected);
  }

  /** A refused write may be the last one for long: whether the cause has gone is found out by a small one of our own (D6). */
  #probeLater(): void {
    this.#cancelProbe?.();
    this.#cancelProbe = this.#deps.clock.after(PROBE_MS, () => {
      if (this.#refusal === null && this.#open) void this.write(writeHeader, 'normal');
    });
  }

  /** The storage error in what was thrown; anything else is a bug and thrown on. */
  #expected(error: unknown): StorageError {
    const known = toStorageError(this.path, error);
    if (known === null) throw error;
    return known;
  }

  #identityIsStale(): boolean {
    return this.#deps.clock.monotonic() - this.#checkedAt >= IDENTITY_EVERY_MS;
  }

  #retiredNow(): boolean {
    this.#checkedAt = this.#deps.clock.monotonic();
    if (this.isSameFileAs(this.path)) return false;
    const refusal = storageError('storage_replaced', this.path);
    this.#refusal = refusal;
    this.#saveLog();
    this.#close();
    this.#setAside();
    this.#deps.health.failed(refusal);
    this.#deps.onGone(this);
    this.#lane.kick();
    return true;
  }

  /** The file may only have been moved: what its log holds goes with it. On the loop, because nothing may come between. */
  #saveLog(): void {
    try {
      this.#connection.raw.pragma('wal_checkpoint(PASSIVE)');
    } catch (error) {
      this.#deps.logger.warn({ path: this.path, cause: String(error) }, 'log of a replaced database not copied');
    }
  }

  #setAside(): void {
    const suffix = `${String(this.#deps.clock.now())}-${String(this.generation)}`;
    try {
      const kept = setAsideSideFiles(this.path, this.#connection.files, suffix);
      if (kept !== null) this.#deps.logger.warn({ path: this.path, kept }, 'log of a replaced database set aside');
    } catch (error) {
      this.#deps.logger.error({ path: this.path, cause: String(error) }, 'log of a replaced database is in the way');
    }
  }
}

function isThenable(value: unknown): boolean {
  const thenable = typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
  // Its own failure would be reported a second time, as unhandled.
  if (thenable) Promise.resolve(value).catch(() => undefined);
  return thenable;
}
