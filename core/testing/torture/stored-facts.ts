import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainEvent } from '../../protocol/events.ts';
import type { ResultEntry } from '../../protocol/result-entry.ts';
import type { RunRow, SetRow, SteerRow } from '../../protocol/rows.ts';
import { loadMigrations } from '../../registry/migrate/migrations.ts';
import { openReading } from '../../registry/reader/open-reading.ts';
import type { AttemptRecord } from '../../registry/store/records.ts';
import type { ReadDb } from '../../registry/writers/db.ts';

/** A transcript entry as it is stored. */
export interface StoredEntry {
  readonly run_id: string;
  readonly entry: number;
  readonly meta: string;
  readonly text: string;
  readonly ended: number;
}

/** A run with what is stored beside its row. */
export interface StoredRun {
  readonly row: RunRow;
  readonly result: ResultEntry | null;
  readonly closing: boolean;
}

/** A set's result on its way to its owner. */
export interface StoredDelivery {
  readonly delivery_id: string;
  readonly delegation_id: string;
  readonly to_run_id: string;
  readonly delivered: number;
}

/** Everything that is stored of a project. */
export interface StoredFacts {
  readonly runs: readonly StoredRun[];
  readonly sets: readonly SetRow[];
  readonly attempts: readonly AttemptRecord[];
  readonly entries: readonly StoredEntry[];
  readonly events: readonly DomainEvent[];
  readonly steers: readonly SteerRow[];
  readonly deliveries: readonly StoredDelivery[];
  readonly openAsks: number;
  /** Calls without an answer of runs that completed; one that was ended in a call has none. */
  readonly openCalls: number;
  readonly outbox: number;
  readonly holds: number;
}

/** A run that is shown live, and an attempt that is not over. */
export interface LiveFacts {
  readonly runs: readonly StoredRun[];
  readonly attempts: readonly AttemptRecord[];
}

const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 20;

const ENTRIES = `
  SELECT run_id, entry, meta, text IS NOT NULL AS ended,
    coalesce(text, (SELECT group_concat(text, '') FROM (SELECT text FROM chunks c WHERE c.run_id = entries.run_id AND c.entry = entries.entry ORDER BY offset)), '') AS text
  FROM entries ORDER BY run_id, entry`;

/** Reads the database of the only project of a data folder, from outside and while a core has it. */
export class StoredProject {
  readonly #home: string;
  readonly #migrations: string;

  constructor(home: string, packageRoot: string) {
    this.#home = home;
    this.#migrations = join(packageRoot, 'migrations', 'project');
  }

  /** Folder of the project's own files; null before it is attached. */
  get folder(): string | null {
    const all = join(this.#home, 'projects');
    const [id] = existsSync(all) ? readdirSync(all) : [];
    return id === undefined ? null : join(all, id);
  }

  attemptFolder(attemptId: string): string {
    return join(this.folder ?? '', 'attempts', attemptId);
  }

  /** Null while there is no database yet. */
  live(): LiveFacts | null {
    return this.#read((db) => ({
      runs: runsOf(db, "WHERE state <> 'ended'"),
      attempts: db.all<AttemptRecord>("SELECT * FROM attempts WHERE state <> 'ended'"),
    }));
  }

  all(): StoredFacts {
    const facts = this.#read((db) => {
      const rows = <T>(table: string): T[] =>
        db.all<{ row: string }>(`SELECT row FROM ${table}`).map(({ row }) => JSON.parse(row) as T);
      const count = (from: string): number => db.get<{ n: number }>(`SELECT count(*) AS n FROM ${from}`)?.n ?? 0;
      return {
        runs: runsOf(db, ''),
        sets: rows<SetRow>('sets'),
        attempts: db.all<AttemptRecord>('SELECT * FROM attempts'),
        entries: db.all<StoredEntry>(ENTRIES),
        events: db
          .all<{ body: string }>('SELECT body FROM events ORDER BY seq')
          .map(({ body }) => JSON.parse(body) as DomainEvent),
        steers: rows<SteerRow>('steers'),
        deliveries: db.all<StoredDelivery>('SELECT delivery_id, delegation_id, to_run_id, delivered FROM deliveries'),
        openAsks: count("asks WHERE state = 'open'"),
        openCalls: count(
          "calls JOIN runs USING (run_id) WHERE calls.answered = 0 AND json_extract(runs.row, '$.outcome') = 'completed'",
        ),
        outbox: count('outbox'),
        holds: count('holds'),
      };
    });
    if (facts === null) throw new Error('the project has no database');
    return facts;
  }

  /** Whoever opens or closes the database keeps others out for a moment. */
  #read<T>(read: (db: ReadDb) => T): T | null {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const opened = this.#open();
      if (opened === null) return null;
      if (opened.ok) {
        if (opened.value === null) return null;
        try {
          return read(opened.value.db);
        } finally {
          opened.value.close();
        }
      }
      if (performance.now() > deadline) throw new Error(opened.error.message);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
    }
  }

  #open(): ReturnType<typeof openReading> | null {
    const { folder } = this;
    return folder === null ? null : openReading(join(folder, 'project.db'), loadMigrations(this.#migrations));
  }
}

function runsOf(db: ReadDb, where: string): StoredRun[] {
  const sql = `SELECT row, result, closing IS NOT NULL AS closing FROM runs ${where}`;
  return db.all<{ row: string; result: string | null; closing: number }>(sql).map(({ row, result, closing }) => ({
    row: JSON.parse(row) as RunRow,
    result: result === null ? null : (JSON.parse(result) as ResultEntry),
    closing: closing === 1,
  }));
}
