import type { RunRow, SetRow } from '../../core/protocol/rows.ts';
import { isEnded } from '../../core/protocol/lifecycle.ts';
import { workStrings } from '../shared/work-strings.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { attempt, core } from './client.ts';
import { openOverlay } from './ui-store.ts';

const words = workStrings.history;

/** A batch in the editor, as tasks of a new set; nothing starts by it. */
export function openBatch(
  batch: unknown,
  name: string | null,
  place: { readonly project_id: string | null; readonly conversation_id: string | null } | 'here',
): void {
  const at = place === 'here' ? { project_id: null, conversation_id: null, here: true } : place;
  openOverlay({ type: 'batch', ...at, text: JSON.stringify(batch), name });
}

type AnySet = Pick<SetRow, 'delegation_id' | 'conversation_id' | 'set' | 'title'>;

/** Opens the tasks of a set in the batch editor again: all, or those that did not complete cleanly. */
export function runAgain(set: AnySet, project: string | null, only: 'all' | 'failed'): Promise<boolean> {
  return attempt(words.failed, async () => {
    const { batch } = await core.history.batch({ delegation_id: set.delegation_id, only });
    openBatch(batch, words.source(set.set), { project_id: project, conversation_id: set.conversation_id });
  });
}

/** Asks for a name to keep the tasks of a set under. */
export function saveSetAsTemplate(set: AnySet): Promise<boolean> {
  return attempt(words.failed, async () => {
    const { batch } = await core.history.batch({ delegation_id: set.delegation_id, only: 'all' });
    openOverlay({ type: 'save-template', batch, name: set.title ?? words.source(set.set) });
  });
}

/** Whether another agent can look at it: every run of it has ended. */
export const mayReviewSet = (set: Pick<SetRow, 'ended_at'>): boolean => set.ended_at !== null;
export const mayReviewRun = (run: Pick<RunRow, 'state' | 'lead'>): boolean => isEnded(run.state) && !run.lead;

export function reviewSet(set: AnySet): void {
  openOverlay({ type: 'review', id: set.delegation_id, what: workStrings.review.setOf(set.set) });
}

export function reviewRun(run: Pick<RunRow, 'run_id' | 'label' | 'goal'>): void {
  const what = run.label ?? run.goal.trim().split('\n', 1)[0]?.slice(0, 80) ?? '';
  openOverlay({ type: 'review', id: run.run_id, what });
}

/** What can be done again with a set, as a group of its menu. `failed`: some of it did not complete. */
export function historyMenu(
  set: AnySet & Pick<SetRow, 'ended_at'>,
  project: string | null,
  failed: boolean,
): readonly MenuItem[] {
  return [
    { label: words.runAgain, icon: 'retry', onSelect: () => void runAgain(set, project, 'all') },
    { label: words.runFailed, disabled: !failed, onSelect: () => void runAgain(set, project, 'failed') },
    { label: words.saveTemplate, icon: 'file', onSelect: () => void saveSetAsTemplate(set) },
    {
      label: words.review,
      icon: 'search',
      disabled: !mayReviewSet(set),
      onSelect: () => {
        reviewSet(set);
      },
    },
  ];
}
