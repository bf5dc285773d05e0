import { strings } from '../shared/strings.ts';
import { attempt, core } from './client.ts';

/** Closes or opens the gate of a run, set or conversation; null is the whole app (R9). Answers whether it worked. */
export function setPaused(id: string | null, paused: boolean): Promise<boolean> {
  const what = paused ? strings.pause.failed : strings.pause.resumeFailed;
  return attempt(what, () => (paused ? core.runs.pause({ id }) : core.runs.resume({ id })));
}

/** Opens several gates, one after another; the first that fails ends it. */
export async function resumeAll(ids: readonly (string | null)[]): Promise<void> {
  for (const id of ids) if (!(await setPaused(id, false))) return;
}
