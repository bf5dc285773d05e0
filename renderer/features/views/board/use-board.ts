import { useState } from 'react';
import { useConversation } from '../../../app/live-rows.ts';
import { useLive } from '../../../app/live.ts';
import type { LiveState } from '../../../app/live-state.ts';
import type { Filter } from '../filter.ts';
import { useFilter } from '../view-state.ts';
import { board, BOARD_COLUMNS, type Board } from './columns.ts';

const sameIds = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, at) => id === b[at]);

function createBoardSelector(): (
  state: LiveState,
  conversationId: string,
  leadId: string | null,
  filter: Filter,
) => Board {
  let inputs: readonly unknown[] = [];
  let last: Board = { columns: { queued: [], working: [], needs: [], ended: [] }, shown: 0, all: 0 };
  return (state, conversationId, leadId, filter) => {
    const now = [state.sets, state.runs, state.setsOf, state.runsOf, conversationId, leadId, filter];
    if (now.every((input, at) => input === inputs[at])) return last;
    inputs = now;
    const next = board(state, conversationId, leadId, filter);
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
  return useLive((state) => select(state, conversationId, lead, filter));
}
