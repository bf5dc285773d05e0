import { formatDuration } from '../shared/format.ts';
import { activeSeconds } from '../../core/protocol/active-time.ts';
import { useNow } from '../shared/ticks.ts';

/** Active time of a run; ticks on the page's one clock while the run is active. Empty until it has begun. */
export function Elapsed({
  run,
}: {
  readonly run: {
    readonly active_seconds: number;
    readonly active_since: number | null;
    readonly started_at: number | null;
  };
}) {
  const now = useNow(run.active_since !== null);
  if (run.started_at === null && run.active_since === null) return null;
  return <>{formatDuration(activeSeconds(run, now))}</>;
}

/** Time on the clock from `from` to `to`, or to now while that is null. Epoch milliseconds. */
export function Span({ from, to }: { readonly from: number | null; readonly to: number | null }) {
  const now = useNow(from !== null && to === null);
  if (from === null) return null;
  return <>{formatDuration(((to ?? now) - from) / 1000)}</>;
}
