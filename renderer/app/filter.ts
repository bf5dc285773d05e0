import type { RunRow } from '../../core/protocol/rows.ts';
import type { LiveState } from './live-state.ts';
import { MARK_FACTS, markOf, type Mark } from '../shared/status.ts';

/** Marks that people look for together. */
export const STATUS_GROUPS = [
  'needs',
  'broken',
  'caveat',
  'running',
  'waiting',
  'queued',
  'completed',
  'stopped',
] as const;
export type StatusGroup = (typeof STATUS_GROUPS)[number];

/** What a view shows; an empty word lets everything through. */
export interface Filter {
  readonly text: string;
  readonly status: StatusGroup | '';
  readonly agent: string;
  /** Id of a set: its runs and everything below them. */
  readonly set: string;
}

export const NO_FILTER: Filter = { text: '', status: '', agent: '', set: '' };

export function isFiltered(filter: Filter): boolean {
  return filter.text.trim() !== '' || filter.status !== '' || filter.agent !== '' || filter.set !== '';
}

const CALM_GROUPS: Partial<Record<Mark, StatusGroup>> = {
  caveat: 'caveat',
  running: 'running',
  waiting: 'waiting',
  paused: 'waiting',
  queued: 'queued',
  completed: 'completed',
  stopped: 'stopped',
};

/** The group that a mark belongs to. */
function groupOf(mark: Mark): StatusGroup {
  if (MARK_FACTS[mark].needsYou) return 'needs';
  return CALM_GROUPS[mark] ?? 'broken';
}

/** What a filter by text looks through, made once for each version of a row. */
const texts = new WeakMap<RunRow, string>();

function textOf(run: RunRow): string {
  const known = texts.get(run);
  if (known !== undefined) return known;
  const text = [run.label, run.goal.slice(0, 2000), run.agent, run.model, run.tag, run.failure_text, run.activity]
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase();
  texts.set(run, text);
  return text;
}

/** Whether a run passes all but the filter by set, which is a matter of where it stands. */
export function matches(run: RunRow, filter: Filter): boolean {
  if (filter.status !== '' && groupOf(markOf(run)) !== filter.status) return false;
  if (filter.agent !== '' && run.agent !== filter.agent) return false;
  const words = filter.text.trim().toLowerCase();
  if (words === '') return true;
  const text = textOf(run);
  return words.split(/\s+/).every((word) => text.includes(word));
}

/** The sets that a filter by set lets through, of these in the order of their numbers: that one, and all that its runs made. */
export function setsWithin(
  rows: Pick<LiveState, 'sets' | 'runs'>,
  ids: readonly string[],
  set: string,
): readonly string[] {
  if (set === '') return ids;
  const within = new Set([set]);
  // A set is made by a run of an earlier one: one pass finds all below.
  for (const id of ids) {
    const maker = rows.sets.get(id)?.parent_run_id ?? null;
    const made = maker === null ? null : (rows.runs.get(maker)?.delegation_id ?? null);
    if (made !== null && within.has(made)) within.add(id);
  }
  return ids.filter((id) => within.has(id));
}
