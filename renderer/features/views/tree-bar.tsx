import type { ReactNode } from 'react';
import { useConversation } from '../../app/live-rows.ts';
import { useReplay } from '../../app/replay.ts';
import { FilterBar } from './filter-bar.tsx';
import { NoRows } from './no-rows.tsx';
import { ReplayDock } from './replay-dock.tsx';
import { useOutline } from './use-outline.ts';
import './views.css';

function Bar({ conversationId }: { readonly conversationId: string }) {
  const { shown, all } = useOutline(conversationId, 'timeline');
  const lead = useConversation(conversationId)?.lead_run_id ?? '';
  // A lead that was there by then stands at the root: it had begun.
  const before = useReplay(({ past }) => past !== null && !past.runs.has(lead));
  return (
    <>
      <FilterBar conversationId={conversationId} shown={shown} all={all} replay />
      {shown === 0 && (all > 0 || before) && (
        <div className="view-nothing">
          <NoRows all={all} />
        </div>
      )}
    </>
  );
}

/** What the other views have around their rows, around the tree: the filter above, the replay below. */
export function WithBars({
  conversationId,
  children,
}: {
  readonly conversationId: string;
  readonly children: ReactNode;
}) {
  const past = useReplay((state) => state.past !== null);
  return (
    <div className="view" data-past={past}>
      <Bar conversationId={conversationId} />
      {children}
      <ReplayDock conversationId={conversationId} />
    </div>
  );
}
