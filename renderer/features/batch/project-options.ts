import type { ProjectRow } from '../../../core/protocol/rows.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import type { SelectOption } from '../../ui/select.tsx';

/** The projects to choose from, and which is chosen. One that is not attached any more is none. */
export function projectOptions(
  projects: readonly Pick<ProjectRow, 'project_id' | 'name'>[],
  project: string | null,
): { readonly value: string; readonly options: readonly SelectOption[] } {
  const options = projects.map(({ project_id, name }) => ({ value: project_id, label: visibleText(name) }));
  if (options.some(({ value }) => value === project)) return { value: project ?? '', options };
  return { value: '', options: [{ value: '', label: startStrings.batch.chooseProject }, ...options] };
}
