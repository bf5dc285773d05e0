import Database from 'better-sqlite3';
import { join } from 'node:path';
import { systemClock } from '../../core/kit/clock.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { loadMigrations } from '../../core/registry/migrate/migrations.ts';
import type { StoreWrite } from '../../core/registry/store/records.ts';
import { writeRows } from '../../core/registry/store/write-rows.ts';
import type { WriterHandle } from '../../core/registry/writers/handle.ts';
import { createWriterRegistry, type WriterRegistry } from '../../core/registry/writers/registry.ts';
import { ROOT } from '../measure/results.ts';
import { CONVERSATION, RUNS, type Kind } from './kinds.ts';

const MIGRATIONS = loadMigrations(join(ROOT, 'migrations', 'project'));

/** One way into a database. */
export interface Side {
  append(kind: Kind, n: number): Promise<void>;
  close(): Promise<void>;
}

/** Rows that the foreign keys ask for. */
const SEED = [
  `INSERT INTO conversations (conversation_id, updated_at, row) VALUES ('${CONVERSATION}', 1, '{"title":"Bench"}')`,
  ...RUNS.flatMap((run) => [
    `INSERT INTO runs (run_id, conversation_id, state, row, task) VALUES ('${run}', '${CONVERSATION}', 'running', '{"goal":"Write"}', '{}')`,
    `INSERT INTO attempts (attempt_id, run_id, n, state, started_at, token_hash) VALUES ('att_${run}', '${run}', 1, 'connected', 1, '')`,
    `INSERT INTO entries (run_id, entry, at, meta, text) VALUES ('${run}', 0, 1, '{"type":"text","partial":false}', NULL)`,
  ]),
];

/** better-sqlite3 as one writes it by hand: prepared statements, one transaction function, SQLite's own checkpoints. */
export class RawSide implements Side {
  readonly #db: Database.Database;
  readonly write: (write: StoreWrite) => void;

  constructor(path: string) {
    this.#db = new Database(path);
    this.#db.pragma('journal_mode = WAL');
    this.#db.pragma('synchronous = NORMAL');
    this.#db.pragma('foreign_keys = ON');
    for (const { sql } of MIGRATIONS) this.#db.exec(sql);
    for (const sql of SEED) this.#db.exec(sql);
    const event = this.#db.prepare('INSERT INTO events (at, conversation_id, type, body) VALUES (?, ?, ?, ?)');
    const chunk = this.#db.prepare('INSERT INTO chunks (run_id, entry, offset, text) VALUES (?, ?, ?, ?)');
    const entry = this.#db.prepare('INSERT INTO entries (run_id, entry, at, meta, text) VALUES (?, ?, ?, ?, ?)');
    const seq = this.#db.prepare('UPDATE attempts SET committed_seq = ? WHERE attempt_id = ?');
    this.write = this.#db.transaction((write: StoreWrite) => {
      for (const { conversation_id, event: body } of write.events) {
        event.run(write.at, conversation_id, body.type, JSON.stringify(body));
      }
      for (const one of write.entries) {
        if (one.chunk !== null) chunk.run(one.run_id, one.entry, one.chunk.offset, one.chunk.text);
        else entry.run(one.run_id, one.entry, one.at, one.meta, one.text);
      }
      for (const [attempt, number] of write.committed) seq.run(number, attempt);
    }).immediate;
  }

  append(kind: Kind, n: number): Promise<void> {
    this.write(kind.make(n));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#db.close();
    return Promise.resolve();
  }
}

/** The writer registry as the engine uses it. */
export class RegistrySide implements Side {
  readonly #registry: WriterRegistry;
  readonly #handle: WriterHandle;

  private constructor(registry: WriterRegistry, handle: WriterHandle) {
    this.#registry = registry;
    this.#handle = handle;
  }

  static async open(path: string): Promise<RegistrySide> {
    const options = { clock: systemClock, logger: silentLogger, migrationsFor: () => MIGRATIONS };
    const registry = createWriterRegistry(options);
    const opened = await registry.acquire(path);
    if (!opened.ok) throw new Error(opened.error.message);
    const seeded = await opened.value.write((db) => {
      for (const sql of SEED) db.run(sql);
    });
    if (!seeded.ok) throw new Error(seeded.error.message);
    return new RegistrySide(registry, opened.value);
  }

  async append(kind: Kind, n: number): Promise<void> {
    const written = await this.#handle.write((db) => writeRows(db, kind.make(n)));
    if (!written.ok) throw new Error(written.error.message);
  }

  async close(): Promise<void> {
    await this.#registry.drainAll();
  }
}
