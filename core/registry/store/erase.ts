import type { ReadDb, WriteDb } from '../writers/db.ts';

/** More bytes of text than this are not erased in one go: the pages of a long text are all read to be given back. */
const TEXT_BYTES = 2 * 1024 * 1024;

/** Takes a conversation out of all that is read; {@link eraseSome} erases what it has left. Unknown ones change nothing. */
export function markErased(db: WriteDb, conversationId: string): void {
  db.run(
    'INSERT OR IGNORE INTO erased SELECT conversation_id FROM conversations WHERE conversation_id = ?',
    conversationId,
  );
}

/** Conversations that are gone and have left rows. */
export function readErased(db: ReadDb): string[] {
  return db.all<{ id: string }>('SELECT conversation_id AS id FROM erased ORDER BY rowid').map(({ id }) => id);
}

// What a run has much of. What falls with the run itself by its foreign keys is little.
const OF_RUN: readonly string[] = [
  'DELETE FROM search_docs WHERE doc IN (SELECT doc FROM search_docs WHERE run_id = ? LIMIT ?)',
  `DELETE FROM chunks WHERE (run_id, entry, offset) IN (SELECT run_id, entry, offset FROM chunks WHERE run_id = ? LIMIT ?)`,
  'DELETE FROM calls WHERE (run_id, call_id) IN (SELECT run_id, call_id FROM calls WHERE run_id = ? LIMIT ?)',
];

const OF_CONVERSATION: readonly string[] = [
  'DELETE FROM events WHERE seq IN (SELECT seq FROM events WHERE conversation_id = ? LIMIT ?)',
  'DELETE FROM deliveries WHERE rowid IN (SELECT rowid FROM deliveries WHERE conversation_id = ? LIMIT ?)',
  'DELETE FROM sets WHERE rowid IN (SELECT rowid FROM sets WHERE conversation_id = ? LIMIT ?)',
];

/** A run with its attempts, steering messages and questions weighs as much as so many other rows. */
const ROWS_OF_RUN = 10;

/** Erases some `rows` rows of a conversation that is gone, from the leaves up. False when nothing of it is left. */
export function eraseSome(db: WriteDb, conversationId: string, rows: number): boolean {
  let left = rows;
  const runs = db.prepare<{ run_id: string }>('SELECT run_id FROM runs WHERE conversation_id = ? LIMIT 1');
  for (let run = runs.get(conversationId); run !== undefined; run = runs.get(conversationId)) {
    left -= eraseEntries(db, run.run_id, left);
    left -= eraseRows(db, OF_RUN, run.run_id, left);
    if (left <= 0) return true;
    db.run('DELETE FROM runs WHERE run_id = ?', run.run_id);
    left -= ROWS_OF_RUN;
    if (left <= 0) return true;
  }
  left -= eraseRows(db, OF_CONVERSATION, conversationId, left);
  if (left <= 0) return true;
  db.run('DELETE FROM conversations WHERE conversation_id = ?', conversationId);
  return false;
}

function eraseRows(db: WriteDb, statements: readonly string[], id: string, rows: number): number {
  let erased = 0;
  for (const sql of statements) if (erased < rows) erased += db.run(sql, id, rows - erased).changes;
  return erased;
}

/** As many as were asked for when the texts were too long for more: there is more to erase. */
function eraseEntries(db: WriteDb, runId: string, rows: number): number {
  const found = db.all<{ id: number; bytes: number }>(
    'SELECT rowid AS id, coalesce(octet_length(text), 0) AS bytes FROM entries WHERE run_id = ? LIMIT ?',
    runId,
    rows,
  );
  let bytes = 0;
  for (const [erased, entry] of found.entries()) {
    if (erased > 0 && bytes + entry.bytes > TEXT_BYTES) return rows;
    db.run('DELETE FROM entries WHERE rowid = ?', entry.id);
    bytes += entry.bytes;
  }
  return found.length;
}

/** Free pages beyond these are given back; so many are soon used again. */
const FREE_PAGES_KEPT = 1024;

/** Pages of the file that hold nothing, beyond what is kept for what comes. */
export function surplusPages(db: ReadDb): number {
  const free = db.get<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0;
  const mode = db.get<{ auto_vacuum: number }>('PRAGMA auto_vacuum')?.auto_vacuum ?? 0;
  // A file from before could only be made anew as a whole.
  return mode === 2 ? Math.max(0, free - FREE_PAGES_KEPT) : 0;
}
