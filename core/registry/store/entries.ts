import type { Entry, EntryMeta } from '../../protocol/entry.ts';
import type { ReadDb, WriteDb } from '../writers/db.ts';
import type { EntryWrite } from './records.ts';
import { storedJson } from './stored-json.ts';

/**
 * Writes what one flush has of the transcripts. Running text is appended as chunk rows and merged once, when the entry
 * ends; never by appending to a growing value, which is quadratic.
 */
export function writeEntries(db: WriteDb, writes: readonly EntryWrite[]): void {
  for (const write of writes) {
    const { run_id, entry, at, meta, isNew, chunk, text } = write;
    if (isNew) {
      db.run(
        'INSERT INTO entries (run_id, entry, at, meta, text) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run_id, entry) DO UPDATE SET meta = excluded.meta, text = excluded.text',
        run_id,
        entry,
        at,
        meta,
        text,
      );
    } else {
      if (meta !== null) db.run('UPDATE entries SET meta = ? WHERE run_id = ? AND entry = ?', meta, run_id, entry);
      if (text !== null) {
        db.run('UPDATE entries SET text = ? WHERE run_id = ? AND entry = ?', text, run_id, entry);
        db.run('DELETE FROM chunks WHERE run_id = ? AND entry = ?', run_id, entry);
      }
    }
    if (chunk !== null) {
      db.run(
        'INSERT OR IGNORE INTO chunks (run_id, entry, offset, text) VALUES (?, ?, ?, ?)',
        run_id,
        entry,
        chunk.offset,
        chunk.text,
      );
    }
  }
}

interface EntryRowSql {
  readonly run_id: string;
  readonly entry: number;
  readonly at: number;
  readonly meta: string;
  readonly text: string | null;
}

/** SQL of a page of a transcript: `run_id`, first entry number, number of entries. */
const ENTRY_PAGE_SQL = `
  SELECT run_id, entry, at, meta,
    coalesce(text, (SELECT group_concat(text, '') FROM (SELECT text FROM chunks c WHERE c.run_id = entries.run_id AND c.entry = entries.entry ORDER BY offset)), '') AS text,
    text IS NOT NULL AS ended
  FROM entries WHERE run_id = ? AND entry >= ? ORDER BY entry LIMIT ?`;

/** A stored entry as it comes from {@link ENTRY_PAGE_SQL}. */
interface StoredEntryRow extends Omit<EntryRowSql, 'text'> {
  readonly text: string;
  readonly ended: number;
}

/** The entry in its protocol form; an unknown type of a newer build stays as it is. */
function toEntry(row: StoredEntryRow): Entry {
  const meta = storedJson<EntryMeta>(row.meta, 'transcript entry');
  return { run_id: row.run_id, entry: row.entry, at: row.at, meta, text: row.text, ended: row.ended === 1 };
}

/** Number of entries of a run's transcript. */
export function countEntries(db: ReadDb, runId: string): number {
  return db.get<{ n: number }>('SELECT coalesce(max(entry) + 1, 0) AS n FROM entries WHERE run_id = ?', runId)?.n ?? 0;
}

/** Entries from number `from` on, at most `limit`. */
export function readEntries(db: ReadDb, runId: string, from: number, limit: number): Entry[] {
  return db.all<StoredEntryRow>(ENTRY_PAGE_SQL, runId, from, limit).map(toEntry);
}

/** Entries of a run whose end was never stored, with the text that was. */
export function readOpenEntries(db: ReadDb, runId: string): Entry[] {
  const open = db.all<{ entry: number }>('SELECT entry FROM entries WHERE run_id = ? AND text IS NULL', runId);
  return open.flatMap(({ entry }) => readEntries(db, runId, entry, 1));
}
