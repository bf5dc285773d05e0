import { create } from 'zustand';
import { strings } from '../shared/strings.ts';
import { toast } from '../ui/toast.tsx';
import { attempt, core } from './client.ts';
import { liveBelow } from './live-rows.ts';
import { useLive } from './live.ts';

/** A stop of more than one run wants a second press within this time. */
const ARMED_MS = 4000;

interface StopState {
  /** What the next press stops for certain. */
  readonly armed: string | null;
  /** Stops under way. */
  readonly stopping: ReadonlySet<string>;
}

const useStops = create<StopState>(() => ({ armed: null, stopping: new Set() }));
let timer: ReturnType<typeof setTimeout> | null = null;

function arm(id: string | null): void {
  if (timer !== null) clearTimeout(timer);
  timer =
    id === null
      ? null
      : setTimeout(() => {
          useStops.setState({ armed: null });
        }, ARMED_MS);
  useStops.setState({ armed: id });
}

function mark(id: string, stopping: boolean): void {
  useStops.setState((state) => {
    const next = new Set(state.stopping);
    if (stopping) next.add(id);
    else next.delete(id);
    return { stopping: next };
  });
}

async function stop(id: string): Promise<void> {
  mark(id, true);
  await attempt(strings.tree.stopFailed, async () => {
    const receipt = await core.runs.stop({ id });
    const left = receipt.survivors.map(({ pid, command }) => `${pid} ${command}`).join('\n');
    if (left === '') toast(strings.tree.stopped(receipt.run_ids.length));
    else toast(strings.tree.survivors(receipt.survivors.length), left);
  });
  mark(id, false);
}

/**
 * A press on the stop of a run, set or conversation: it stops at once if one run is affected, else arms first and
 * stops with the second press (ui.md, Inspector).
 */
export function pressStop(id: string): void {
  const affected = liveBelow(useLive.getState(), id).length;
  if (affected > 1 && useStops.getState().armed !== id) {
    arm(id);
    return;
  }
  arm(null);
  if (affected > 0) void stop(id);
}

/** How the stop of a run, set or conversation stands: whether the next press does it, to how many runs. */
export function useStop(id: string): {
  readonly armed: boolean;
  readonly stopping: boolean;
  readonly affected: number;
} {
  const armed = useStops((state) => state.armed === id);
  const stopping = useStops((state) => state.stopping.has(id));
  const affected = useLive((state) => (armed ? liveBelow(state, id).length : 0));
  return { armed, stopping, affected };
}
