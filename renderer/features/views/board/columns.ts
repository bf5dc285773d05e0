import { asksForAttention, isEnded, queuesForPlace } from '../../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../../core/protocol/rows.ts';
import { currentRuns } from '../../../app/current-runs.ts';
import type { LiveState } from '../../../app/live-state.ts';
import { matches, setsWithin, type Filter } from '../../../app/filter.ts';

export const BOARD_COLUMNS = ['queued', 'working', 'needs', 'ended'] as const;
export type BoardColumn = (typeof BOARD_COLUMNS)[number];

export type Columns = Readonly<Record<BoardColumn, readonly string[]>>;

export interface Board {
  readonly columns: Columns;
  readonly shown: number;
  readonly all: number;
}

/** The column of a run: what is held or waits its turn is queued; a wait for a machine is a part of the work. */
export function columnOf(run: Pick<RunRow, 'state' | 'reason' | 'idle_since'>): BoardColumn {
  if (isEnded(run.state)) return 'ended';
  if (asksForAttention(run)) return 'needs';
  if (run.state === 'queued' || run.reason === 'paused' || queuesForPlace(run.reason)) return 'queued';
  return 'working';
}

/** Newest first where it is over; elsewhere what has been there longest. */
const ORDER: Readonly<Record<BoardColumn, (a: RunRow, b: RunRow) => number>> = {
  queued: (a, b) =>
    a.queued_at - b.queued_at || (a.set ?? 0) - (b.set ?? 0) || (a.task_index ?? 0) - (b.task_index ?? 0),
  working: (a, b) =>
    (a.started_at ?? a.queued_at) - (b.started_at ?? b.queued_at) || (a.task_index ?? 0) - (b.task_index ?? 0),
  needs: (a, b) => (a.last_activity_at ?? a.queued_at) - (b.last_activity_at ?? b.queued_at),
  ended: (a, b) => (b.ended_at ?? 0) - (a.ended_at ?? 0),
};

type Rows = Pick<LiveState, 'sets' | 'runs' | 'setsOf' | 'runsOf'>;

/** The runs of a conversation by column. A lead is there while it is at work itself, not while it waits for a message. */
export function board(rows: Rows, conversationId: string, leadId: string | null, filter: Filter): Board {
  const ids = rows.setsOf.get(conversationId) ?? [];
  const inSets = setsWithin(rows, ids, filter.set).flatMap((id) => currentRuns(rows, id));
  const lead = leadId === null || filter.set !== '' ? undefined : rows.runs.get(leadId);
  const runs = lead !== undefined && !isEnded(lead.state) && lead.reason !== 'user' ? [lead, ...inSets] : inSets;
  const kept = runs.filter((run) => matches(run, filter));
  const groups = Map.groupBy(kept, columnOf);
  const inColumn = (column: BoardColumn): readonly string[] =>
    (groups.get(column) ?? []).sort(ORDER[column]).map(({ run_id }) => run_id);
  const all = ids.reduce((sum, id) => sum + (rows.sets.get(id)?.count ?? 0), 0);
  return {
    columns: {
      queued: inColumn('queued'),
      working: inColumn('working'),
      needs: inColumn('needs'),
      ended: inColumn('ended'),
    },
    shown: kept.filter((run) => !run.lead).length,
    all,
  };
}

/**
 * The columns while the pointer is on a card: what stands stays where it stands, what is new comes last, what is gone goes. A
 * card that belongs elsewhere says so by its glyph, and moves when the pointer has left.
 */
export function heldColumns(before: Columns, next: Columns): Columns {
  const there = new Set(BOARD_COLUMNS.flatMap((column) => next[column]));
  const stood = new Set(BOARD_COLUMNS.flatMap((column) => before[column]));
  const held = (column: BoardColumn): readonly string[] => [
    ...before[column].filter((id) => there.has(id)),
    ...next[column].filter((id) => !stood.has(id)),
  ];
  return { queued: held('queued'), working: held('working'), needs: held('needs'), ended: held('ended') };
}

/** The card that an arrow, Home or End key leads to; null if the key means nothing or there is none. */
export function boardMove(columns: Columns, current: string | null, key: string): string | null {
  const at = BOARD_COLUMNS.findIndex((column) => current !== null && columns[column].includes(current));
  const column = BOARD_COLUMNS[at];
  if (column === undefined || current === null) {
    return BOARD_COLUMNS.flatMap((other) => columns[other])[0] ?? null;
  }
  const ids = columns[column];
  const place = ids.indexOf(current);
  const beside = (list: readonly BoardColumn[]): string | null => {
    const next = list.find((other) => columns[other].length > 0);
    return next === undefined ? null : (columns[next][Math.min(place, columns[next].length - 1)] ?? null);
  };
  switch (key) {
    case 'ArrowDown':
      return ids[place + 1] ?? null;
    case 'ArrowUp':
      return ids[place - 1] ?? null;
    case 'Home':
      return ids[0] ?? null;
    case 'End':
      return ids.at(-1) ?? null;
    case 'ArrowRight':
      return beside(BOARD_COLUMNS.slice(at + 1));
    case 'ArrowLeft':
      return beside(BOARD_COLUMNS.slice(0, at).toReversed());
    default:
      return null;
  }
}
