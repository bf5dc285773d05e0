import type { ToolDisplay } from '../../protocol/entry.ts';
import type { ReadDb } from '../writers/db.ts';

/** What a call of a run changed: a file with its diff, or files without one (too large to be compared). */
export type CallChange = Extract<ToolDisplay, { type: 'diff' | 'files' }>;

/** What the calls of a run that ended well changed, in their order. Lists of files count only where a call writes. */
export function readCallChanges(db: ReadDb, runId: string): CallChange[] {
  const sql = `SELECT json_extract(meta, '$.display') AS display FROM entries
    WHERE run_id = ? AND json_extract(meta, '$.type') = 'tool_call' AND json_extract(meta, '$.status') = 'ok'
      AND (json_extract(meta, '$.display.type') = 'diff'
        OR (json_extract(meta, '$.display.type') = 'files' AND json_extract(meta, '$.name') IN ('write', 'edit')))
    ORDER BY entry`;
  return db.all<{ display: string }>(sql, runId).map(({ display }) => JSON.parse(display) as CallChange);
}
