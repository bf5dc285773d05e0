import { useState } from 'react';
import type { Filter } from '../../../app/filter.ts';
import { useFilter } from '../../../app/filter-state.ts';
import { useConversation } from '../../../app/live-rows.ts';
import type { LiveState } from '../../../app/live-state.ts';
import { useShown } from '../../../app/replay.ts';
import { useViews } from '../view-state.ts';
import { board, BOARD_COLUMNS, heldColumns, type Board } from './columns.ts';

const sameIds = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, at) => id === b[at]);

interface Choice {
  readonly filter: Filter;
  /** The pointer is on a card. */
  readonly held: boolean;
}

function createBoardSelector(): (
  state: LiveState,
  conversationId: string,
  leadId: string | null,
  choice: Choice,
) => Board {
  let inputs: readonly unknown[] = [];
  let asked: readonly unknown[] = [];
  let last: Board = { columns: { queued: [], working: [], needs: [], ended: [] }, shown: 0, all: 0 };
  return (state, conversationId, leadId, { filter, held }) => {
    const ask = [conversationId, filter];
    const now = [state.sets, state.runs, state.setsOf, state.runsOf, leadId, held, ...ask];
    if (now.every((input, at) => input === inputs[at])) return last;
    // What the user asks for moves cards even under the pointer.
    const keeps = held && ask.every((part, at) => part === asked[at]);
    inputs = now;
    asked = ask;
    const fresh = board(state, conversationId, leadId, filter);
    const next = keeps ? { ...fresh, columns: heldColumns(last.columns, fresh.columns) } : fresh;
    const same = BOARD_COLUMNS.every((column) => sameIds(next.columns[column], last.columns[column]));
    if (!same || next.shown !== last.shown || next.all !== last.all) last = next;
    return last;
  };
}

/** The board of a conversation; a new one only when a run changes its column or place. */
export function useBoard(conversationId: string): Board {
  const [select] = useState(createBoardSelector);
  const lead = useConversation(conversationId)?.lead_run_id ?? null;
  const filter = useFilter(conversationId);
  const held = useViews((state) => state.held);
  return useShown((state) => select(state, conversationId, lead, { filter, held }));
}
