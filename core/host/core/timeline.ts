import type { Timeline, TimelineSpan } from '../../protocol/history.ts';

/** A stored move of a run. */
export interface StoredMove {
  readonly at: number;
  readonly type: string;
  readonly run_id: string;
  readonly state: string | null;
  readonly reason: string | null;
}

/** Rows that {@link MOVES_SQL} may give at most: some 10,000 runs. */
export const MAX_MOVES = 60_000;

/** The moves of a conversation's runs, in their order. */
export const MOVES_SQL = `
  SELECT at, type, coalesce(json_extract(body, '$.run_id'), json_extract(body, '$.run.run_id')) AS run_id,
    coalesce(json_extract(body, '$.to'), json_extract(body, '$.run.state')) AS state,
    coalesce(json_extract(body, '$.reason'), json_extract(body, '$.run.reason')) AS reason
  FROM events WHERE conversation_id = ? AND type IN ('run_queued', 'run_moved', 'run_ended') ORDER BY seq`;

/** The moves as spans. A run that moves within a state (another reason) has a span for each. */
export function timelineOf(moves: readonly StoredMove[], cut: boolean): Timeline {
  const spans: TimelineSpan[] = [];
  const open = new Map<string, TimelineSpan>();
  for (const { at, type, run_id, state, reason } of moves) {
    const current = open.get(run_id);
    if (current !== undefined) current.to = at;
    open.delete(run_id);
    if (type === 'run_ended' || state === null || state === 'ended') continue;
    const span: TimelineSpan = { run_id, from: at, to: null, state, reason };
    open.set(run_id, span);
    spans.push(span);
  }
  return { spans: spans.filter(({ from, to }) => to === null || to > from), cut };
}
