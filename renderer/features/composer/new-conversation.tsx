import { useEffect, type ReactNode } from 'react';
import { runCommand } from '../../app/commands.ts';
import { useProjects } from '../../app/live-rows.ts';
import { requestFocus, ui, useUi } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { Composer } from './composer.tsx';

const words = startStrings.home;

function ProjectLine({ project }: { readonly project: string | null }) {
  const projects = useProjects();
  return (
    <div className="flex items-center gap-2">
      {projects.length > 0 && (
        <>
          <span className="text-ink-3" aria-hidden>
            {words.project}
          </span>
          <Select
            className="max-w-[280px]"
            name={words.project}
            value={project ?? ''}
            options={projects.map(({ project_id, name }) => ({ value: project_id, label: name }))}
            onChange={(id) => ui.beginIn(id)}
          />
        </>
      )}
      <Button kind={projects.length === 0 ? 'primary' : 'text'} icon="folder" onClick={() => runCommand('attach')}>
        {words.attach}
      </Button>
    </div>
  );
}

/** The centre while no conversation is open: the project, a prompt or a batch. `more` is drawn below. */
export function NewConversation({ more }: { readonly more?: ReactNode }) {
  const projects = useProjects();
  const chosen = useUi((state) => state.project);
  const project = projects.find(({ project_id }) => project_id === chosen) ?? projects[0];
  const id = project?.project_id ?? null;
  useEffect(() => {
    if (id !== null) requestFocus('composer');
  }, [id]);
  return (
    <div className="home" role="region" aria-label={words.region}>
      <div className="home-column">
        <h2 className="text-20 font-semi">{words.title}</h2>
        <ProjectLine project={id} />
        <Composer key={id} projectId={id} conversationId={null} />
        <p className="text-ink-2">{words.hint}</p>
        <p className="text-ink-3">{words.dropHint}</p>
        {more}
      </div>
    </div>
  );
}
