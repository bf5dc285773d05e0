import type { SteerRow } from '../../../core/protocol/rows.ts';
import { formatTime } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import type { IconName } from '../../ui/icon.tsx';

export interface LedgerWords {
  readonly icon: IconName;
  readonly tone: 'ok' | 'wait' | 'quiet' | 'warn';
  readonly text: string;
  readonly title: string | null;
}

/** Where a message stands, in words (C2). */
export function ledgerWords(row: Pick<SteerRow, 'state' | 'mode' | 'changed_at'>): LedgerWords {
  const words = runStrings.steer;
  const time = formatTime(row.changed_at);
  switch (row.state) {
    case 'accepted':
      return { icon: 'queue', tone: 'quiet', text: words.states.accepted(time), title: null };
    case 'queued': {
      const text = row.mode === 'follow_up' ? words.states.queuedFollowUp : words.states.queued;
      return { icon: 'queue', tone: 'wait', text, title: null };
    }
    case 'delivered':
      return { icon: 'check', tone: 'ok', text: words.states.delivered(time), title: null };
    case 'handed_over':
      return { icon: 'check', tone: 'quiet', text: words.states.handed_over(time), title: words.handedOverTitle };
    case 'missed':
      return { icon: 'warning', tone: 'warn', text: words.states.missed(time), title: words.missedTitle };
  }
}

/** Lines of the ledger that are always shown. */
const SHOWN = 3;

/**
 * The lines to show of a ledger, oldest first: the last few, and before them whatever is still on its way or was missed,
 * because nobody may overlook those.
 */
export function shownLedger(rows: readonly SteerRow[], all: boolean): readonly SteerRow[] {
  if (all || rows.length <= SHOWN) return rows;
  const settled = new Set<SteerRow['state']>(['delivered', 'handed_over']);
  return rows.filter((row, place) => place >= rows.length - SHOWN || !settled.has(row.state));
}
