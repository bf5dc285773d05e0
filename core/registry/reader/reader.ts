import type { Clock } from '../../kit/clock.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { SqlParams } from '../writers/db.ts';
import { toStorageError, type StorageError } from '../writers/storage-error.ts';
import type { JobIn, JobOut, JobType, Rows } from './jobs.ts';
import type { FoundDoc, SearchQuery } from './search-database.ts';
import { createStorageThreads } from './storage-threads.ts';

/**
 * Reading apart from the writers (D1): search, history pages, export, doctor. Connections are read-only and live in a
 * thread, for one request each, so a slow query holds up neither the loop nor a writer's log for longer than it runs.
 * A file that is missing, locked or damaged comes back as a value; a wrong statement rejects (a bug).
 */
export interface Reader {
  /** At most `maxRows` rows (default 1,000) of a statement that only reads; `more` tells that there were further ones. */
  query<Row>(
    path: string,
    sql: string,
    params?: SqlParams,
    opts?: { readonly maxRows?: number },
  ): Promise<Result<Rows<Row>, StorageError>>;
  /** Looks for words in a project's database: conversations, goals, results, transcripts; the newest first. */
  search(
    path: string,
    query: SearchQuery,
  ): Promise<Result<{ readonly hits: readonly FoundDoc[]; readonly more: boolean }, StorageError>>;
  /** A consistent, compact copy at `destination` (0600, replaced only when complete) while writers go on; its size. */
  backup(path: string, destination: string): Promise<Result<{ readonly bytes: number }, StorageError>>;
  /** What SQLite finds wrong with the file, in its words; empty if nothing. */
  integrityCheck(path: string): Promise<Result<readonly string[], StorageError>>;
  /** Finishes what was asked for and ends the threads. */
  close(): Promise<void>;
}

// One page of history or search results many times over; what needs more pages through it.
const MAX_ROWS = 1_000;

/** A reader; one per process. Backups and checks have a thread of their own, so that they do not hold up queries. */
export function createReader(clock: Clock): Reader {
  const queries = createStorageThreads(clock, 1);
  const longJobs = createStorageThreads(clock, 1);
  const run = async <T extends JobType>(
    threads: typeof queries,
    type: T,
    input: JobIn<T> & { readonly path: string },
  ): Promise<Result<JobOut<T>, StorageError>> => {
    try {
      return ok(await threads.run(type, input));
    } catch (error) {
      const known = toStorageError(input.path, error);
      if (known === null) throw error;
      return err(known);
    }
  };
  return {
    async query<Row>(path: string, sql: string, params: SqlParams = [], opts: { readonly maxRows?: number } = {}) {
      const found = await run(queries, 'query', { path, sql, params, maxRows: opts.maxRows ?? MAX_ROWS });
      // The caller knows what its statement selects.
      return found as Result<Rows<Row>, StorageError>;
    },
    search: (path, query) => run(queries, 'search', { path, query }),
    backup: (path, destination) => run(longJobs, 'backup', { path, destination }),
    async integrityCheck(path) {
      const checked = await run(longJobs, 'integrity', { path });
      return checked.ok ? ok(checked.value.problems) : checked;
    },
    async close() {
      await Promise.all([queries.close(), longJobs.close()]);
    },
  };
}
