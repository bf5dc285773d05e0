import { delay, type Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { planMigration } from '../migrate/look.ts';
import type { Migration } from '../migrate/migrations.ts';
import { createStorageThreads, type StorageThreads } from '../reader/storage-threads.ts';
import { createCheckpoints } from './checkpoints.ts';
import { openConnection, type Connection } from './connection.ts';
import { resolveDatabasePath } from './database-file.ts';
import { createHandle, type WriterHandle } from './handle.ts';
import { createHealthKeeper, type HealthKeeper, type StorageHealth } from './health.ts';
import { storageError, toStorageError, type StorageError } from './storage-error.ts';
import { keepAlive } from './keep-alive.ts';
import { Writer } from './writer.ts';

/** Numbers for doctor, tests and benches. */
export interface WriterRegistryStats {
  /** Connections opened since the start. */
  readonly opened: number;
  readonly writers: readonly {
    readonly path: string;
    readonly generation: number;
    readonly holders: number;
    readonly pending: number;
    readonly tearingDown: boolean;
  }[];
}

/** The only way to write to a database of the data folder (D1). */
export interface WriterRegistry {
  /** A hold on the writer of `path`; opens and migrates the file if nobody has it. Waits while it is locked outside. */
  acquire(path: string): Promise<Result<WriterHandle, StorageError>>;
  /**
   * Shutdown: refuses new holders, finishes all accepted writes, closes every file. Writes that still wait for a lock
   * after `giveUpAfterMs` (default: never) fail with `storage_busy`. Returns the paths that were open.
   */
  drainAll(opts?: { readonly giveUpAfterMs?: number }): Promise<readonly string[]>;
  stats(): WriterRegistryStats;
}

export interface WriterRegistryOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long the first try of a transaction may block for a lock, in ms; at most 20 *(default)*. */
  readonly busyTimeoutMs?: number;
  /** The migrations of the database at a resolved path; without them the file is opened as it is. */
  readonly migrationsFor?: (path: string) => readonly Migration[];
  /** Told when a file becomes busy, fails or works again, once per change. */
  readonly onHealth?: (health: StorageHealth) => void;
  /** Size of a log, in bytes, from which on it is copied into its database; 8 MB *(default)*. */
  readonly checkpointBytes?: number;
}

interface Entry {
  readonly opening: Promise<Result<Writer, StorageError>>;
  writer: Writer | null;
}

// DESIGN: an outside lock must never freeze the loop.
const MAX_BUSY_TIMEOUT_MS = 20;
const CHECKPOINT_BYTES = 8 * 1024 * 1024;
// Two, so that one file's long teardown leaves a thread for all others.
const MAINTENANCE_THREADS = 2;
const OPEN_RETRY_MS = 50;

/** An empty registry; one per core. */
export function createWriterRegistry(options: WriterRegistryOptions): WriterRegistry {
  return new Registry(options);
}

class Registry implements WriterRegistry {
  readonly #options: WriterRegistryOptions;
  readonly #busyTimeoutMs: number;
  readonly #threads: StorageThreads;
  readonly #entries = new Map<string, Entry>();
  readonly #generations = new Map<string, number>();
  // Gone, but perhaps with a thread still at work on the file.
  readonly #gone = new Set<Writer>();
  readonly #health = new Map<string, HealthKeeper>();
  #opened = 0;
  #closed = false;

  constructor(options: WriterRegistryOptions) {
    this.#options = options;
    this.#busyTimeoutMs = Math.min(options.busyTimeoutMs ?? MAX_BUSY_TIMEOUT_MS, MAX_BUSY_TIMEOUT_MS);
    this.#threads = createStorageThreads(options.clock, MAINTENANCE_THREADS);
  }

  async acquire(path: string): Promise<Result<WriterHandle, StorageError>> {
    // Again, if the writer was closed or its file replaced between its opening and our turn.
    for (;;) {
      if (this.#closed) return err(storageError('storage_closed', path));
      const resolved = attempt(path, () => resolveDatabasePath(path));
      if (!resolved.ok) return resolved;
      const entry = this.#entryOf(resolved.value) ?? this.#startOpening(resolved.value);
      const opened = entry.writer === null ? await entry.opening : ok(entry.writer);
      if (!opened.ok) return opened;
      if (opened.value.usable()) return ok(createHandle(opened.value));
    }
  }

  async drainAll(opts: { readonly giveUpAfterMs?: number } = {}): Promise<readonly string[]> {
    this.#closed = true;
    const { promise: giveUp, resolve } = Promise.withResolvers<void>();
    const cancel = opts.giveUpAfterMs === undefined ? null : this.#options.clock.after(opts.giveUpAfterMs, resolve);
    await Promise.allSettled([...this.#entries.values()].map((entry) => entry.opening));
    const writers = [...this.#entries.values()].flatMap((entry) => (entry.writer === null ? [] : [entry.writer]));
    await Promise.all(writers.map((writer) => writer.shutDown(giveUp)));
    await Promise.all([...this.#gone].map((writer) => writer.settled()));
    cancel?.();
    await this.#threads.close();
    return writers.map((writer) => writer.path);
  }

  stats(): WriterRegistryStats {
    const writers = [...this.#entries.values()].flatMap(({ writer }) =>
      writer === null
        ? []
        : [
            {
              path: writer.path,
              generation: writer.generation,
              holders: writer.holders,
              pending: writer.pending,
              tearingDown: writer.tearingDown,
            },
          ],
    );
    return { opened: this.#opened, writers };
  }

  /** The live entry of a path, or of another name of the same file (hard link, other case). */
  #entryOf(path: string): Entry | null {
    const named = this.#entries.get(path);
    if (named !== undefined) return named.writer === null || named.writer.usable() ? named : null;
    return [...this.#entries.values()].find((entry) => entry.writer?.isSameFileAs(path)) ?? null;
  }

  #startOpening(path: string): Entry {
    const opening = this.#openUntilFree(path);
    const entry: Entry = { opening, writer: null };
    this.#entries.set(path, entry);
    const leave = (): void => {
      if (this.#entries.get(path) === entry) this.#entries.delete(path);
    };
    void opening.then((opened) => {
      if (opened.ok) entry.writer = opened.value;
      else leave();
    }, leave);
    return entry;
  }

  /** Tries to open until no lock is in the way; a second opener of the path waits for the same result. */
  async #openUntilFree(path: string): Promise<Result<Writer, StorageError>> {
    const { clock } = this.#options;
    const health = this.#healthOf(path);
    const startedAt = clock.monotonic();
    for (;;) {
      await Promise.all([...this.#gone].filter((gone) => gone.path === path).map((gone) => gone.settled()));
      const opened = await this.#openOnce(path);
      if (opened.ok) {
        health.succeeded();
        return ok(this.#createWriter(path, opened.value, health));
      }
      if (opened.error.code !== 'storage_busy' || this.#closed) {
        health.failed(opened.error);
        return opened;
      }
      health.stalled(clock.monotonic() - startedAt);
      const release = keepAlive();
      await delay(clock, OPEN_RETRY_MS).finally(release);
    }
  }

  async #openOnce(path: string): Promise<Result<Connection, StorageError>> {
    const migrations = this.#options.migrationsFor?.(path) ?? null;
    if (migrations === null) return attempt(path, () => openConnection(path, this.#busyTimeoutMs, null));
    const looked = attempt(path, () => planMigration(path, migrations));
    if (!looked.ok) return looked;
    if (!looked.value.ok) return looked.value;
    const plan = looked.value.value;
    if (plan === 'upgrade') {
      const upgraded = await attemptAsync(path, () => this.#threads.run('upgrade', { path, migrations }));
      if (!upgraded.ok) return upgraded;
      this.#options.logger.info({ path, ...upgraded.value }, 'database migrated');
    }
    return attempt(path, () => openConnection(path, this.#busyTimeoutMs, plan === 'fresh' ? migrations : null));
  }

  #createWriter(path: string, connection: Connection, health: HealthKeeper): Writer {
    const { clock, logger, checkpointBytes = CHECKPOINT_BYTES } = this.#options;
    const generation = (this.#generations.get(path) ?? 0) + 1;
    this.#opened += 1;
    this.#generations.set(path, generation);
    return new Writer(path, generation, connection, {
      clock,
      logger,
      health,
      checkpoints: createCheckpoints(path, checkpointBytes, this.#threads, clock, logger),
      busyTimeoutMs: this.#busyTimeoutMs,
      onGone: (writer) => this.#forget(writer),
    });
  }

  #forget(writer: Writer): void {
    if (this.#entries.get(writer.path)?.writer === writer) this.#entries.delete(writer.path);
    this.#gone.add(writer);
    void writer.settled().then(() => this.#gone.delete(writer));
  }

  #healthOf(path: string): HealthKeeper {
    const known = this.#health.get(path);
    if (known !== undefined) return known;
    const { clock, logger, onHealth } = this.#options;
    const keeper = createHealthKeeper(path, clock, logger, (health) => onHealth?.(health));
    this.#health.set(path, keeper);
    return keeper;
  }
}

/** A storage failure as a value; anything else is a bug and thrown on. */
function attempt<T>(path: string, run: () => T): Result<T, StorageError> {
  try {
    return ok(run());
  } catch (error) {
    return failureOf(path, error);
  }
}

async function attemptAsync<T>(path: string, run: () => Promise<T>): Promise<Result<T, StorageError>> {
  try {
    return ok(await run());
  } catch (error) {
    return failureOf(path, error);
  }
}

function failureOf(path: string, error: unknown): { ok: false; error: StorageError } {
  const known = toStorageError(path, error);
  if (known === null) throw error;
  return err(known);
}
