import type Database from 'better-sqlite3';

/** What SQLite can bind and return. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** Values for `?`, in order, or one object for `@name`. */
export type SqlParams = readonly SqlValue[] | readonly [Readonly<Record<string, SqlValue>>];

/** A prepared statement that only reads. */
export interface ReadStatement<Row> {
  get(...params: SqlParams): Row | undefined;
  all(...params: SqlParams): Row[];
  /** The connection can do nothing else until the iteration has ended: leave the loop or read it to its end. */
  iterate(...params: SqlParams): IterableIterator<Row>;
}

/** A prepared statement that may write. */
export interface WriteStatement<Row> extends ReadStatement<Row> {
  run(...params: SqlParams): { readonly changes: number; readonly lastInsertRowid: number | bigint };
}

/** Reads on a connection. A statement that would write is refused (a throw: it is a bug). */
export interface ReadDb {
  /** Prepared once for each SQL text and kept. */
  prepare<Row>(sql: string): ReadStatement<Row>;
  get<Row>(sql: string, ...params: SqlParams): Row | undefined;
  all<Row>(sql: string, ...params: SqlParams): Row[];
  iterate<Row>(sql: string, ...params: SqlParams): IterableIterator<Row>;
}

/** Reads and writes inside one transaction; exists only while a transaction function runs and throws outside it. */
export interface WriteDb extends ReadDb {
  prepare<Row>(sql: string): WriteStatement<Row>;
  run(sql: string, ...params: SqlParams): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  /** Gives up to so many free pages back to the file system. */
  compact(pages: number): void;
}

// SQL texts are constants of the program; the bound only guards against one that is built from data.
const MAX_STATEMENTS = 512;

/** The two faces of one writing connection, over one cache of prepared statements. */
export function databaseFaces(raw: Database.Database): { readonly read: ReadDb; readonly write: WriteDb } {
  const statements = new Map<string, Database.Statement<unknown[]>>();
  const prepared = (sql: string): Database.Statement<unknown[]> => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = raw.prepare<unknown[]>(sql);
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    statements.set(sql, statement);
    return statement;
  };
  const reading = <Row>(sql: string): ReadStatement<Row> => {
    const statement = prepared(sql);
    if (!statement.readonly) throw new Error(`A statement that writes was given to a reading connection: ${sql}`);
    return statement as unknown as ReadStatement<Row>;
  };
  const writing = <Row>(sql: string): WriteStatement<Row> => {
    if (!raw.inTransaction) throw new Error(`A write outside a transaction: ${sql}`);
    return prepared(sql) as unknown as WriteStatement<Row>;
  };
  return {
    read: {
      prepare: reading,
      get: <Row>(sql: string, ...params: SqlParams) => reading<Row>(sql).get(...params),
      all: <Row>(sql: string, ...params: SqlParams) => reading<Row>(sql).all(...params),
      iterate: <Row>(sql: string, ...params: SqlParams) => reading<Row>(sql).iterate(...params),
    },
    write: {
      prepare: writing,
      get: <Row>(sql: string, ...params: SqlParams) => writing<Row>(sql).get(...params),
      all: <Row>(sql: string, ...params: SqlParams) => writing<Row>(sql).all(...params),
      iterate: <Row>(sql: string, ...params: SqlParams) => writing<Row>(sql).iterate(...params),
      run: (sql: string, ...params: SqlParams) => writing(sql).run(...params),
      // A prepared statement would be stepped once, which gives back one page.
      compact: (pages) => {
        if (!raw.inTransaction) throw new Error('A write outside a transaction: compact');
        raw.exec(`PRAGMA incremental_vacuum(${String(Math.trunc(pages))})`);
      },
    },
  };
}
