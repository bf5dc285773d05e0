import type { TrayItem, TrayModel } from '../../protocol/desktop.ts';
import { byLastChange } from '../../protocol/order.ts';
import type { AppRow, AskRow, ConversationRow } from '../../protocol/rows.ts';
import { noticeLine } from './notice-text.ts';

export interface TrayFacts {
  readonly app: Pick<AppRow, 'paused' | 'at_work'>;
  readonly conversations: readonly ConversationRow[];
  readonly asks: readonly Pick<AskRow, 'state'>[];
  readonly hideContent: boolean;
  readonly redact: (text: string) => string;
}

/** A menu is no list: the latest few. */
const MOST_ITEMS = 8;

/** State and menu of the tray: what waits for a person comes before what failed, and that before what works. */
export function trayModel({ app, conversations, asks, hideContent, redact }: TrayFacts): TrayModel {
  const shown = conversations.filter(({ archived }) => !archived);
  const needs = Math.max(
    asks.filter(({ state }) => state === 'open').length,
    shown.reduce((sum, row) => sum + row.needs_you, 0),
  );
  const failed = shown.reduce((sum, row) => sum + row.unseen_failures, 0);
  const [icon, count, words] = stateOf(needs, failed, app.at_work);
  const live = shown.filter((row) => row.ended < row.runs).toSorted(byLastChange);
  const rows = live.slice(0, MOST_ITEMS).map((row): TrayItem => {
    const name = hideContent ? 'Conversation' : noticeLine(row.title, redact);
    return {
      type: 'conversation',
      label: `${name}: ${row.ended} of ${row.runs} ended`,
      conversation_id: row.conversation_id,
    };
  });
  const more = live.length - rows.length;
  return {
    icon,
    count,
    tooltip: `Espalier: ${app.paused ? `${words}, paused` : words}`,
    items: [
      ...(rows.length === 0 ? [{ type: 'words' as const, label: 'Nothing is at work' }] : rows),
      ...(more > 0 ? [{ type: 'words' as const, label: `and ${more} more` }] : []),
      { type: 'separator' },
      app.paused ? { type: 'resume', label: 'Resume everything' } : { type: 'pause', label: 'Pause everything' },
      { type: 'open', label: 'Open Espalier' },
      { type: 'separator' },
      { type: 'quit', label: 'Quit' },
    ],
  };
}

function stateOf(needs: number, failed: number, working: number): [TrayModel['icon'], number, string] {
  if (needs > 0) return ['needs_you', needs, `${needs} ${needs === 1 ? 'waits' : 'wait'} for you`];
  if (failed > 0) return ['failed', failed, `${failed} failed`];
  if (working > 0) return ['working', working, `${working} working`];
  return ['idle', 0, 'idle'];
}
