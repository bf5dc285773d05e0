import type { OutlineRow, Rows } from '../outline.ts';
import { lanesOf } from './lanes.ts';
import type { Life } from './lives.ts';

/** Sets of more runs than this are drawn as places, like tiles in the tree. */
const LARGE_FROM = 13;

/** A line from the bar of a run to the set that it made. */
interface Wire {
  readonly at: number;
  readonly live: boolean;
  /** It turns to the bar here; else it goes through. */
  readonly turns: boolean;
}

export interface TimelineRow extends OutlineRow {
  /** Runs whose bars are in it: those of one slot, or those of one place of a large set. */
  readonly runs: readonly string[];
  /** Number of the place, from 1; null for a row of one run or set. */
  readonly lane: number | null;
  readonly wire: Wire | null;
}

/** What each row of the timeline is drawn from. */
export interface TimelineRowProps {
  readonly row: TimelineRow;
  readonly index: number;
  /** It has the keyboard, or would get it. */
  readonly current: boolean;
}

/** The runs that had a slot, the earliest first: each was retried or continued by the next (C5). */
function slotRuns(rows: Pick<Rows, 'runs'>, id: string): readonly string[] {
  const slot = [id];
  for (let run = rows.runs.get(id); run !== undefined && slot.length < 50;) {
    const earlier = run.retry_of ?? run.continues;
    if (earlier === null || slot.includes(earlier)) break;
    slot.unshift(earlier);
    run = rows.runs.get(earlier);
  }
  return slot;
}

function wireOf(rows: Rows, row: OutlineRow): Wire | null {
  const set = rows.sets.get(row.id);
  const nested = set !== undefined && row.parent !== null && rows.runs.get(row.parent)?.lead === false;
  return nested ? { at: set.created_at, live: set.ended_at === null, turns: false } : null;
}

/** The rows of a large set: one for each place, and of its runs only those that made sets of their own. */
function laneRows(
  rows: Rows,
  set: OutlineRow,
  runs: readonly OutlineRow[],
  lives: ReadonlyMap<string, Life>,
): readonly TimelineRow[] {
  const slots = runs.flatMap(({ id }) => slotRuns(rows, id));
  const { lanes } = lanesOf(slots, lives);
  return lanes.map((ids, at) => ({
    id: `${set.id}/${at + 1}`,
    type: 'run',
    level: set.level + 1,
    parent: set.id,
    place: at + 1,
    siblings: lanes.length,
    expanded: null,
    count: set.count,
    hidden: 0,
    runs: ids,
    lane: at + 1,
    wire: null,
  }));
}

/** The rows of the timeline: those of the outline, but large sets as places. `spread`: every run has its own row. */
export function timelineRows(
  rows: Rows,
  list: readonly OutlineRow[],
  lives: ReadonlyMap<string, Life>,
  spread: boolean,
): readonly TimelineRow[] {
  const ofSet = Map.groupBy(list, ({ parent }) => parent ?? '');
  const large = new Set(
    list
      .filter((row) => row.type === 'set' && !spread && row.count >= LARGE_FROM && row.expanded === true)
      .map(({ id }) => id),
  );
  const laid = list.flatMap((row): readonly TimelineRow[] => {
    if (row.type !== 'set') {
      const inLane = row.parent !== null && large.has(row.parent) && row.expanded === null;
      return inLane ? [] : [{ ...row, runs: slotRuns(rows, row.id), lane: null, wire: null }];
    }
    const head: TimelineRow = { ...row, runs: [], lane: null, wire: wireOf(rows, row) };
    const single = large.has(row.id) ? (ofSet.get(row.id) ?? []).filter(({ expanded }) => expanded === null) : [];
    return [head, ...laneRows(rows, row, single, lives)];
  });
  // The line ends at the first bar of the set.
  return laid.map((row, at) => {
    const before = laid[at - 1];
    return before?.wire != null && !before.wire.turns && before.type === 'set' && row.parent === before.id
      ? { ...row, wire: { ...before.wire, turns: true } }
      : row;
  });
}
