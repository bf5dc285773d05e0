import { useDrawing } from './timeline-context.ts';
import type { TimelineRow } from './timeline-rows.ts';

/** The line from the bar of a run to the set that it made; it turns where the set's first bar is. */
export function RowWire({ wire, height }: { readonly wire: TimelineRow['wire']; readonly height: number }) {
  const { scale, at } = useDrawing();
  if (wire === null || (at !== null && wire.at > at)) return null;
  const x = scale.x(wire.at) - 2;
  const d = wire.turns ? `M${x} 0v${height / 2 - 6}q0 6 6 6` : `M${x} -6v${height + 6}`;
  return (
    <path d={d} fill="none" stroke={wire.live ? 'var(--accent)' : 'var(--edge)'} strokeWidth={wire.live ? 1.25 : 1} />
  );
}
