import { useEffect } from 'react';
import { describeFailure } from '../../../app/client.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { Button } from '../../../ui/button.tsx';
import { FilterBar } from '../filter-bar.tsx';
import { resetReplayOf } from '../replay-dock.tsx';
import { NoRows } from '../no-rows.tsx';
import { useOutline } from '../use-outline.ts';
import { TimelinePatterns } from './bar-shapes.tsx';
import { TimelineGrid } from './timeline-grid.tsx';
import { resetTimeline } from './timeline-state.ts';
import { useTimeline } from './use-timeline.ts';
import '../views.css';
import './timeline.css';

const words = viewStrings.timeline;

function Trouble({ error, onAgain }: { readonly error: unknown; readonly onAgain: () => void }) {
  return (
    <div className="frame-empty" role="alert">
      <p className="text-13 font-semi">{words.failed}</p>
      <p className="text-ink-3">{describeFailure(error).message}</p>
      <Button className="mt-2" onClick={onAgain}>
        {words.again}
      </Button>
    </div>
  );
}

/** The conversation over time: what each run did when, live or as it was at any moment. */
export function TimelineView({ conversationId }: { readonly conversationId: string }) {
  const outline = useOutline(conversationId, 'timeline');
  const { data, ready, error, cut, again } = useTimeline(conversationId);
  useEffect(() => resetTimeline, []);
  useEffect(() => resetReplayOf(conversationId), [conversationId]);
  return (
    <div className="view">
      <FilterBar conversationId={conversationId} shown={outline.shown} all={outline.all} />
      {cut && <p className="timeline-cut">{words.cut}</p>}
      <TimelinePatterns />
      {error !== null && !ready && <Trouble error={error} onAgain={again} />}
      {error === null && !ready && <div className="frame-empty text-ink-3">{words.loading}</div>}
      {ready && outline.rows.length === 0 && <NoRows all={outline.all} />}
      {ready && outline.rows.length > 0 && (
        <TimelineGrid data={data} outline={outline} conversationId={conversationId} />
      )}
    </div>
  );
}
