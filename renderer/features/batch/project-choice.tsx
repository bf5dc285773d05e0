import { useProjects } from '../../app/live-rows.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Select } from '../../ui/select.tsx';
import { moveToProject, useBatch } from './batch-store.ts';
import { projectOptions } from './project-options.ts';

const words = startStrings.batch;

/** The project that a new conversation begins in. */
export function ProjectChoice() {
  const projects = useProjects();
  const project = useBatch((state) => state.project);
  const { value, options } = projectOptions(projects, project);
  const [only] = options;
  if (only !== undefined && options.length === 1 && only.value !== '')
    return <span className="flex-none text-ink-3">{only.label}</span>;
  return (
    <Select
      bare
      className="batch-project"
      name={words.project}
      value={value}
      options={options}
      onChange={(id) => {
        if (id !== '') moveToProject(id);
      }}
    />
  );
}
