import { useState } from 'react';
import { useConversation } from '../../app/live-rows.ts';
import type { LiveState } from '../../app/live-state.ts';
import { useFilter } from '../../app/filter-state.ts';
import { useShown } from '../../app/replay.ts';
import { useUi } from '../../app/ui-store.ts';
import { outline, type Look, type Outline, type OutlineRow } from './outline.ts';
import { useViews } from './view-state.ts';

function sameRow(a: OutlineRow, b: OutlineRow): boolean {
  return (
    a.id === b.id &&
    a.level === b.level &&
    a.parent === b.parent &&
    a.place === b.place &&
    a.siblings === b.siblings &&
    a.expanded === b.expanded &&
    a.count === b.count &&
    a.hidden === b.hidden
  );
}

type Choice = Pick<Look, 'folded' | 'filter' | 'sort' | 'flat'> & { readonly held: boolean };

const orderOf = ({ rows }: Outline): ReadonlyMap<string, number> => new Map(rows.map(({ id }, place) => [id, place]));

/** A selector of the outline that keeps the identity of rows that did not change, and their order while they are held. */
export function createOutlineSelector(): (
  state: LiveState,
  conversationId: string,
  leadId: string | null,
  choice: Choice,
) => Outline {
  let inputs: readonly unknown[] = [];
  let last: Outline = { rows: [], shown: 0, all: 0 };
  let asked: readonly unknown[] = [];
  return (state, conversationId, leadId, { held, ...choice }) => {
    const ask = [conversationId, choice.folded, choice.filter, choice.sort, choice.flat];
    const now = [state.sets, state.runs, state.setsOf, state.runsOf, leadId, held, ...ask];
    if (now.every((input, at) => input === inputs[at])) return last;
    // What the user asks for moves rows even under the pointer.
    const keeps = held && ask.every((part, at) => part === asked[at]);
    inputs = now;
    asked = ask;
    const look = { ...choice, held: keeps ? orderOf(last) : null, now: Date.now() };
    const next = outline(state, conversationId, leadId, look);
    const before = new Map(last.rows.map((row) => [row.id, row]));
    const rows = next.rows.map((row) => {
      const old = before.get(row.id);
      return old !== undefined && sameRow(old, row) ? old : row;
    });
    const same = rows.length === last.rows.length && rows.every((row, at) => row === last.rows[at]);
    if (!same || next.shown !== last.shown || next.all !== last.all) last = { ...next, rows: same ? last.rows : rows };
    return last;
  };
}

/** The rows of a conversation as its views show them; new ones only when structure or order changes. */
export function useOutline(conversationId: string, how: 'list' | 'timeline'): Outline {
  const [select] = useState(createOutlineSelector);
  const lead = useConversation(conversationId)?.lead_run_id ?? null;
  const folded = useUi((state) => state.folded);
  const filter = useFilter(conversationId);
  const sort = useViews((state) => (how === 'list' ? state.sort : null));
  const flat = useViews((state) => how === 'list' && state.flat);
  const held = useViews((state) => state.held);
  // In the timeline bars tell what was: its rows are those of now.
  return useShown((state) => select(state, conversationId, lead, { folded, filter, sort, flat, held }));
}
