import { isEnded } from '../../../core/protocol/lifecycle.ts';
import type { LiveState } from '../../app/live-state.ts';

/** Where something that is dropped goes: everywhere the batch editor, a set at work (S8), or a message to a run. */
export type Aim =
  | { readonly type: 'window' }
  | { readonly type: 'set'; readonly id: string; readonly set: number }
  | { readonly type: 'run'; readonly id: string };

const WINDOW: Aim = { type: 'window' };

/** As much of an element as is looked at. */
interface Place {
  closest(selector: string): { readonly dataset: DOMStringMap } | null;
}

function runOf(place: Place, { runs }: Pick<LiveState, 'runs'>): Aim | null {
  const run = runs.get(place.closest('[data-drop-run]')?.dataset['dropRun'] ?? '');
  if (run === undefined || run.runner === 'command') return null;
  return isEnded(run.state) && run.runner !== 'builtin' ? null : { type: 'run', id: run.run_id };
}

function setOf(place: Place, { sets }: Pick<LiveState, 'sets'>): Aim | null {
  const set = sets.get(place.closest('[data-drop-set]')?.dataset['dropSet'] ?? '');
  return set === undefined || set.ended_at !== null ? null : { type: 'set', id: set.delegation_id, set: set.set };
}

/**
 * What lies under the pointer. Files on a row are for its run; a text there, and anything else on a card, makes tasks of the set. A set that has
 * ended takes none, a command no messages.
 */
export function aimAt(place: Place | null, files: boolean, live: Pick<LiveState, 'sets' | 'runs'>): Aim {
  if (place === null) return WINDOW;
  return (files ? runOf(place, live) : null) ?? setOf(place, live) ?? WINDOW;
}
