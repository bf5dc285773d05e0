import { useProjects } from '../../app/live-rows.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Select } from '../../ui/select.tsx';
import { moveToProject, useBatch } from './batch-store.ts';

const words = startStrings.batch;

/** The project that a new conversation begins in. */
export function ProjectChoice() {
  const projects = useProjects();
  const project = useBatch((state) => state.project);
  const only = projects.length === 1 && projects[0]?.project_id === project ? projects[0] : undefined;
  if (only !== undefined) return <span className="flex-none text-ink-3">{only.name}</span>;
  const options = projects.map(({ project_id, name }) => ({ value: project_id, label: name }));
  return (
    <Select
      bare
      className="max-w-[200px] text-ink-3"
      name={words.project}
      value={project ?? ''}
      options={project === null ? [{ value: '', label: words.chooseProject }, ...options] : options}
      onChange={(id) => {
        if (id !== '') moveToProject(id);
      }}
    />
  );
}
