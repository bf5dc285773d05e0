import { blockerOf } from './blocker.ts';
import { touch, useBatch } from './batch-store.ts';
import { wrongPlaces } from './problems.ts';
import { partOfField, requestRow } from './row-focus.ts';

/** Goes to the next task with a problem after the one in use, round and round. */
export function showNextProblem(): void {
  touch();
  const { draft, problems, active, project } = useBatch.getState();
  const blocker = blockerOf(draft, problems, project);
  const wrong = wrongPlaces(draft, problems);
  const here = draft.rows.findIndex(({ key }) => key === active);
  const inView = document.activeElement?.closest('[data-row]') !== null;
  const place = (inView ? wrong.find((one) => one > here) : undefined) ?? blocker?.place ?? wrong[0];
  const row = place === undefined || place === null ? undefined : draft.rows[place];
  if (row === undefined) return;
  requestRow(row.key, partOfField(problems.ofRow.get(row.key)?.[0]?.field ?? null));
}
