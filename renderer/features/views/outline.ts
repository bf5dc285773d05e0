import type { RunRow, SetRow } from '../../../core/protocol/rows.ts';
import { currentOf, currentRuns } from '../../app/current-runs.ts';
import type { LiveState } from '../../app/live-state.ts';
import { MARK_FACTS, markOf } from '../../shared/status.ts';
import type { TreeItem } from '../../shared/tree-moves.ts';
import { isFiltered, matches, type Filter } from '../../app/filter.ts';
import { compareValues, valueOfRun, valueOfSet, type Sort } from './sorting.ts';

/** One row of a view that has a row for each set and run. */
export interface OutlineRow extends TreeItem {
  /** Tasks of the set that it is, or is in. */
  readonly count: number;
  /** Runs that a folded set or run keeps from view. */
  readonly hidden: number;
}

/** How a view looks at the conversation. */
export interface Look {
  readonly folded: readonly string[];
  readonly filter: Filter;
  readonly sort: Sort;
  /** Without levels: the runs alone, in one order. */
  readonly flat: boolean;
  /** The order in which rows stand while the pointer is on them: known ones keep it. */
  readonly held: ReadonlyMap<string, number> | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type Rows = Pick<LiveState, 'sets' | 'runs' | 'setsOf' | 'runsOf'>;

export interface Outline {
  readonly rows: readonly OutlineRow[];
  /** Runs that are shown, and runs that there are. */
  readonly shown: number;
  readonly all: number;
}

/** Whether a row stays in view while what it is in is folded (roll-up). */
const isLoud = (run: RunRow): boolean => {
  const facts = MARK_FACTS[markOf(run)];
  return facts.broken || facts.needsYou;
};

/** A row with what is below it; places among siblings are given when it is known which of them stay. */
interface Branch {
  readonly id: string;
  readonly type: OutlineRow['type'];
  readonly count: number;
  readonly expanded: boolean | null;
  readonly hidden: number;
  readonly value: number | string | null;
  readonly below: readonly Branch[];
}

/** Where the walk is: in a folded part only what is loud is kept, in a set that was asked for everything else is. */
interface Place {
  readonly quiet: boolean;
  readonly inSet: boolean;
}

const tasksOf = (sets: readonly SetRow[]): number => sets.reduce((sum, { count }) => sum + count, 0);

class Walk {
  readonly #rows: Rows;
  readonly #look: Look;
  readonly #filtered: boolean;
  readonly #folded: ReadonlySet<string>;
  readonly #setsOfRun: ReadonlyMap<string, readonly SetRow[]>;
  shown = 0;

  constructor(rows: Rows, look: Look, setsOfRun: ReadonlyMap<string, readonly SetRow[]>) {
    this.#rows = rows;
    this.#look = look;
    this.#filtered = isFiltered(look.filter);
    // What matches is shown, folded or not.
    this.#folded = new Set(this.#filtered ? [] : look.folded);
    this.#setsOfRun = setsOfRun;
  }

  #sorted(branches: Branch[]): Branch[] {
    const { sort, held } = this.#look;
    if (sort !== null) branches.sort((a, b) => compareValues(a.value, b.value, sort.down));
    if (held !== null) {
      const place = (branch: Branch): number => held.get(branch.id) ?? Number.MAX_SAFE_INTEGER;
      branches.sort((a, b) => place(a) - place(b));
    }
    return branches;
  }

  sets(sets: readonly SetRow[], place: Place): readonly Branch[] {
    return this.#sorted(sets.flatMap((set) => this.#set(set, place) ?? []));
  }

  #set(set: SetRow, { quiet, inSet }: Place): Branch | null {
    const id = set.delegation_id;
    const folded = this.#folded.has(id);
    const inside = inSet || this.#look.filter.set === id;
    const runs = currentRuns(this.#rows, id);
    const below = this.#sorted(
      runs.flatMap((run) => this.#run(run, set, { quiet: quiet || folded, inSet: inside }) ?? []),
    );
    if (below.length === 0 && (quiet || this.#filtered)) return null;
    const { sort, now } = this.#look;
    return {
      id,
      type: 'set',
      count: set.count,
      expanded: !folded,
      hidden: folded ? runs.length - below.length : 0,
      value: sort === null ? null : valueOfSet(set, sort.by, now),
      below,
    };
  }

  #isKept(run: RunRow, matching: boolean, { quiet }: Place): boolean {
    return this.#filtered ? matching : !quiet || isLoud(run);
  }

  #run(run: RunRow, set: SetRow, place: Place): Branch | null {
    const { filter, sort, now } = this.#look;
    const id = run.run_id;
    const nested = this.#setsOfRun.get(id) ?? [];
    const folded = nested.length > 0 && this.#folded.has(id);
    const below = this.sets(nested, { ...place, quiet: place.quiet || folded });
    const matching = (filter.set === '' || place.inSet) && matches(run, filter);
    if (below.length === 0 && !this.#isKept(run, matching, place)) return null;
    this.shown += matching ? 1 : 0;
    return {
      id,
      type: 'run',
      count: set.count,
      expanded: nested.length === 0 ? null : !folded,
      hidden: folded ? tasksOf(nested) : 0,
      value: sort === null ? null : valueOfRun(run, sort.by, now),
      below,
    };
  }

  flat(runs: readonly RunRow[], inSet: (run: RunRow) => boolean): readonly Branch[] {
    const { filter, sort, now } = this.#look;
    const kept = runs.filter((run) => (filter.set === '' || inSet(run)) && matches(run, filter));
    this.shown = kept.length;
    return this.#sorted(
      kept.map((run) => ({
        id: run.run_id,
        type: 'run',
        count: run.delegation_id === null ? 1 : (this.#rows.sets.get(run.delegation_id)?.count ?? 1),
        expanded: null,
        hidden: 0,
        value: sort === null ? null : valueOfRun(run, sort.by, now),
        below: [],
      })),
    );
  }
}

function lay(branches: readonly Branch[], level: number, parent: string | null, rows: OutlineRow[]): void {
  branches.forEach(({ below, value: _value, ...branch }, at) => {
    rows.push({ ...branch, level, parent, place: at + 1, siblings: branches.length });
    lay(below, level + 1, branch.id, rows);
  });
}

/** The sets of a conversation by the run whose row they hang off; '' for those of the trunk. */
function setsByRun(rows: Rows, conversationId: string, leadId: string | null): ReadonlyMap<string, readonly SetRow[]> {
  const sets = (rows.setsOf.get(conversationId) ?? []).flatMap((id) => rows.sets.get(id) ?? []);
  return Map.groupBy(sets, ({ parent_run_id: maker }) => {
    const parent = maker === null ? null : currentOf(rows, maker);
    return parent === null || parent === leadId || !rows.runs.has(parent) ? '' : parent;
  });
}

/** Whether a run is in a set, or below a run of it. */
function isInSet(rows: Rows, run: RunRow, set: string): boolean {
  for (let at: RunRow | undefined = run, steps = 0; at !== undefined && steps < 100; steps += 1) {
    if (at.delegation_id === set) return true;
    at = at.parent_run_id === null ? undefined : rows.runs.get(at.parent_run_id);
  }
  return false;
}

/** The rows of a conversation, depth first: the lead, its sets, their runs, the sets that those made. */
export function outline(rows: Rows, conversationId: string, leadId: string | null, look: Look): Outline {
  const byRun = setsByRun(rows, conversationId, leadId);
  const walk = new Walk(rows, look, byRun);
  const ids = rows.setsOf.get(conversationId) ?? [];
  const all = ids.reduce((sum, id) => sum + (rows.sets.get(id)?.count ?? 0), 0);
  const laid: OutlineRow[] = [];
  if (look.flat) {
    const runs = ids.flatMap((id) => currentRuns(rows, id));
    lay(
      walk.flat(runs, (run) => isInSet(rows, run, look.filter.set)),
      1,
      null,
      laid,
    );
    return { rows: laid, shown: walk.shown, all };
  }
  const tiers = walk.sets(byRun.get('') ?? [], { quiet: false, inSet: false });
  const lead = leadId !== null && rows.runs.has(leadId) && !isFiltered(look.filter) ? leadId : null;
  if (lead !== null) {
    const expanded = tiers.length > 0 ? true : null;
    laid.push({ id: lead, type: 'lead', level: 1, parent: null, place: 1, siblings: 1, expanded, count: 1, hidden: 0 });
  }
  lay(tiers, lead === null ? 1 : 2, lead, laid);
  return { rows: laid, shown: walk.shown, all };
}
