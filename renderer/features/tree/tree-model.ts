import { isWorthRetrying } from '../../app/controls.ts';
import { isFiltered, matches, setsWithin, type Filter } from '../../app/filter.ts';
import { currentOf, currentRuns } from '../../app/current-runs.ts';
import type { LiveState } from '../../app/live-state.ts';
import { MARK_FACTS, markOf, type Mark } from '../../shared/status.ts';

/** Sets of more runs than this are drawn as tiles (NOTES, Anatomy). */
const LARGE_FROM = 13;
/** Rows of a large card before the rest waits behind a button: a thousand failures must not become a thousand rows. */
const LARGE_ROWS = 24;

export const ROW = 40;
const ROW_FAILED = 56;
export const ROW_LINE = 28;
const ROW_LINE_FAILED = 44;
export const HEADER = 56;

/** One row as the layout needs it. */
export interface RowShape {
  readonly id: string;
  readonly mark: Mark;
  readonly height: number;
}

/** One card as the layout needs it. */
export interface SetShape {
  readonly id: string;
  readonly set: number;
  /** The run whose row it hangs off; null for a tier of the trunk. */
  readonly parent: string | null;
  readonly large: boolean;
  readonly folded: boolean;
  readonly live: boolean;
  readonly paused: boolean;
  /** Runs that *Retry failed* would take (C5). */
  readonly retryable: number;
  /** The rows that are drawn. */
  readonly rows: readonly RowShape[];
  /** Every run of the set in the order of tasks, with its mark. */
  readonly marks: readonly { readonly id: string; readonly mark: Mark }[];
  /** Rows that are left out: folded ones, or the rest of a large card. */
  readonly hidden: number;
}

/** How the page looks at the tree. */
export interface TreeView {
  readonly folded: readonly string[];
  /** Large cards whose rows are all shown. */
  readonly expanded: ReadonlySet<string>;
  /** Only what matches is drawn, with the rows that it hangs off. */
  readonly filter: Filter;
  /** The row under the pointer and the height it had when the pointer came: it does not grow under it. */
  readonly held: { readonly id: string; readonly height: number } | null;
}

type Rows = Pick<LiveState, 'sets' | 'runs' | 'setsOf' | 'runsOf'>;

function rowHeight(mark: Mark, large: boolean): number {
  const { broken } = MARK_FACTS[mark];
  if (large) return broken ? ROW_LINE_FAILED : ROW_LINE;
  return broken ? ROW_FAILED : ROW;
}

const isLoud = (mark: Mark): boolean => MARK_FACTS[mark].broken || MARK_FACTS[mark].needsYou;

/** The rows of a card: all of a small one; of a large one the failed first, then the active; of a folded one the loud. */
function shownRows(
  marks: SetShape['marks'],
  large: boolean,
  folded: boolean,
  everything: boolean,
): { readonly shown: SetShape['marks']; readonly hidden: number } {
  if (folded) {
    const loud = marks.filter(({ mark }) => isLoud(mark));
    return { shown: loud, hidden: marks.length - loud.length };
  }
  if (!large) return { shown: marks, hidden: 0 };
  const failed = marks.filter(({ mark }) => MARK_FACTS[mark].broken);
  const active = marks.filter(({ mark }) => MARK_FACTS[mark].active);
  const rows = [...failed, ...active];
  const shown = everything ? rows : rows.slice(0, LARGE_ROWS);
  return { shown, hidden: rows.length - shown.length };
}

/** The rows that a filter leaves; of very many only the first, until they are asked for. */
function capped(marks: SetShape['marks'], everything: boolean) {
  const shown = everything ? marks : marks.slice(0, LARGE_ROWS);
  return { shown, hidden: marks.length - shown.length };
}

/** How one card is looked at. */
interface Look {
  readonly leads: ReadonlySet<string>;
  readonly kept: ReadonlySet<string> | null;
  readonly view: TreeView;
}

/** The rows of a card that are drawn; null when a filter leaves none. */
function drawnRows(
  marks: SetShape['marks'],
  card: { readonly id: string; readonly large: boolean; readonly folded: boolean },
  { kept, view }: Pick<Look, 'kept' | 'view'>,
) {
  const everything = view.expanded.has(card.id);
  if (kept === null) return shownRows(marks, card.large, card.folded, everything);
  const matching = marks.filter((mark) => kept.has(mark.id));
  return matching.length === 0 ? null : capped(matching, everything);
}

function setShape(rows: Rows, id: string, { leads, kept, view }: Look): SetShape | null {
  const row = rows.sets.get(id);
  if (row === undefined) return null;
  const runs = currentRuns(rows, id);
  const marks = runs.map((run) => ({ id: run.run_id, mark: markOf(run) }));
  const large = row.count >= LARGE_FROM;
  // What matches is shown, folded or not.
  const folded = kept === null && view.folded.includes(id);
  const drawn = drawnRows(marks, { id, large, folded }, { kept, view });
  if (drawn === null) return null;
  const { shown, hidden } = drawn;
  const parent = row.parent_run_id === null ? null : currentOf(rows, row.parent_run_id);
  return {
    id,
    set: row.set,
    parent: parent === null || leads.has(parent) || !rows.runs.has(parent) ? null : parent,
    large: large && !folded,
    folded,
    live: row.ended_at === null,
    paused: row.paused && row.ended_at === null,
    retryable: runs.filter(isWorthRetrying).length,
    marks,
    hidden,
    rows: shown.map(({ id: run, mark }) => ({
      id: run,
      mark,
      height: view.held?.id === run ? view.held.height : rowHeight(mark, large && !folded),
    })),
  };
}

/** The runs that a filter leaves, and those that something left hangs off; null when everything is shown. */
function keptRuns(rows: Rows, ids: readonly string[], filter: Filter): ReadonlySet<string> | null {
  if (!isFiltered(filter)) return null;
  const within = new Set(setsWithin(rows, ids, filter.set));
  const kept = new Set<string>();
  // From the last to the first: what hangs off a run is decided before the run itself.
  for (const id of ids.toReversed()) {
    const inside = within.has(id);
    const runs = currentRuns(rows, id).filter((run) => (inside && matches(run, filter)) || kept.has(run.run_id));
    for (const run of runs) kept.add(run.run_id);
    const maker = rows.sets.get(id)?.parent_run_id ?? null;
    if (runs.length > 0 && maker !== null) kept.add(currentOf(rows, maker));
  }
  return kept;
}

/** The cards of a conversation, in the order of their numbers. */
export function treeModel(rows: Rows, conversationId: string, leadId: string | null, view: TreeView): SetShape[] {
  const leads = new Set(leadId === null ? [] : [leadId]);
  const ids = rows.setsOf.get(conversationId) ?? [];
  const kept = keptRuns(rows, ids, view.filter);
  return ids.flatMap((id) => setShape(rows, id, { leads, kept, view }) ?? []);
}
