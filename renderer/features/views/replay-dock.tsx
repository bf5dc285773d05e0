import { useEffect, useMemo } from 'react';
import { resetReplay, useReplay } from '../../app/replay.ts';
import { viewStrings } from '../../shared/view-strings.ts';
import { pastRows } from './timeline/past-rows.ts';
import { ReplayBar } from './timeline/replay-bar.tsx';
import { fittingScale, TimeScale } from './timeline/time-scale.ts';
import { usePlayback } from './timeline/use-playback.ts';
import { useTimeline } from './timeline/use-timeline.ts';
import './timeline/timeline.css';

/** Width of the axis that the scrubber walks along; it has no zoom of its own. */
const AXIS_PX = 1000;

/** Rows follow a moment that moves by itself no closer than this: a replay is looked at, not measured. */
const STEP_MS = 100;

function Bar({ conversationId }: { readonly conversationId: string }) {
  const { data, ready, error } = useTimeline(conversationId);
  const at = useReplay((state) => state.at);
  const { from, to, gaps, lives, rows } = data;
  const scale = useMemo(() => new TimeScale(from, to, gaps, fittingScale(from, to, gaps, AXIS_PX)), [from, to, gaps]);
  usePlayback(scale);
  const shown = at === null ? null : Math.ceil(at / STEP_MS) * STEP_MS;
  useEffect(() => {
    useReplay.setState({ past: shown === null || !ready ? null : pastRows(rows, conversationId, lives, shown) });
  }, [shown, ready, rows, lives, conversationId]);
  if (error !== null) return <p className="timeline-cut">{viewStrings.timeline.failed}</p>;
  return <ReplayBar data={data} scale={scale} />;
}

/** The replay at the foot of tree, list and board, while it is open or a moment was chosen in the timeline. */
export function ReplayDock({ conversationId }: { readonly conversationId: string }) {
  const shown = useReplay((state) => state.open || state.at !== null);
  // In the timeline bars tell what was; its rows are those of now.
  useEffect(() => () => useReplay.setState({ past: null }), []);
  useEffect(() => resetReplayOf(conversationId), [conversationId]);
  return shown ? <Bar conversationId={conversationId} /> : null;
}

let last: string | null = null;

/** A moment belongs to one conversation: another begins at its end, whatever view it is in. */
export function resetReplayOf(conversationId: string): void {
  if (last !== null && last !== conversationId) resetReplay();
  last = conversationId;
}
