import type { Draft } from './draft.ts';
import { wrongPlaces, type Problems } from './problems.ts';
import { textOf } from './task-fields.ts';

/** Why a batch cannot run yet; `place` is the row to go to, 0-based. */
export type Blocker =
  | { readonly type: 'project' | 'tasks' | 'whole'; readonly place: null }
  | { readonly type: 'goal' | 'row'; readonly place: number };

/** The first thing in the way of a run, or null. */
export function blockerOf(draft: Draft, problems: Problems, project: string | null): Blocker | null {
  if (draft.rows.length === 0) return { type: 'tasks', place: null };
  const wrong = wrongPlaces(draft, problems)[0];
  const blank = draft.rows.findIndex(({ task }) => textOf(task, 'goal').trim() === '');
  if (blank >= 0 && (wrong === undefined || blank <= wrong)) return { type: 'goal', place: blank };
  if (wrong !== undefined) return { type: 'row', place: wrong };
  if (problems.whole.length > 0) return { type: 'whole', place: null };
  return project === null ? { type: 'project', place: null } : null;
}
