import { useEffect } from 'react';
import type { ProjectRow } from '../../../core/protocol/rows.ts';
import { attempt, core } from '../../app/client.ts';
import { DefinitionFiles } from '../../app/definition-files.tsx';
import { useProjects } from '../../app/live-rows.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Group, Note, Section } from './setting.tsx';

const words = settingsStrings.projects;

/** Trust is for what is shown: its digest goes along, so that what changed meanwhile is refused (A4). */
function setTrust({ project_id, definitions }: ProjectRow, trusted: boolean): void {
  const digest = trusted ? definitions?.digest : undefined;
  void attempt(words.trustFailed, () =>
    core.projects.trust({ project_id, trusted, ...(digest === undefined ? {} : { digest }) }),
  );
}

function stateOf({ trusted, definitions }: ProjectRow): { readonly words: string; readonly style: string } {
  if (trusted) return { words: words.trusted, style: 'text-ok' };
  if (definitions?.changed === true) return { words: words.changed, style: 'text-need' };
  return { words: words.untrusted, style: 'text-ink-2' };
}

function Definitions({ project }: { readonly project: ProjectRow }) {
  const { definitions, trusted } = project;
  const name = visibleText(project.name);
  if (definitions === null) return <Note>{words.bringsNothing}</Note>;
  const state = stateOf(project);
  const { digest, files, faults } = definitions;
  return (
    <>
      <dl className="settings-facts">
        <dt>{words.brings}</dt>
        <dd>
          <DefinitionFiles key={digest} project_id={project.project_id} digest={digest} files={files} />
        </dd>
        {faults.length > 0 && (
          <>
            <dt className="text-bad-text">{words.faults}</dt>
            <dd className="text-bad-text">{faults.map(visibleText).join(' ')}</dd>
          </>
        )}
      </dl>
      <div className="flex flex-wrap items-center justify-end gap-3 px-3 py-2">
        <span className={`grow ${state.style}`}>{state.words}</span>
        {trusted ? (
          <Button
            aria-label={words.distrustOf(name)}
            onClick={() => {
              setTrust(project, false);
            }}
          >
            {words.distrust}
          </Button>
        ) : (
          <Button
            aria-label={words.trustOf(name)}
            disabled={faults.length > 0}
            onClick={() => {
              setTrust(project, true);
            }}
          >
            {words.trust}
          </Button>
        )}
      </div>
    </>
  );
}

/** What each project defines, and whether that is trusted as it is now (A4). */
export function ProjectsSection() {
  const projects = useProjects();
  useEffect(() => {
    // Looking at the list has the core look at the folders again; what changed comes by the feed.
    void core.projects.list();
  }, []);
  return (
    <Section title={settingsStrings.sections.projects} intro={words.intro}>
      {projects.length === 0 && (
        <Group>
          <Note>{words.nothing}</Note>
        </Group>
      )}
      {projects.map((project) => (
        <div key={project.project_id} data-setting="projects" role="group" aria-label={visibleText(project.name)}>
          <Group
            title={visibleText(project.name)}
            end={
              <span className="el min-w-0 flex items-center gap-2 text-11 text-ink-3" title={visibleText(project.path)}>
                <Icon name="folder" />
                <code className="el">{visibleText(project.path)}</code>
              </span>
            }
          >
            {project.present ? <Definitions project={project} /> : <Note>{words.missing}</Note>}
          </Group>
        </div>
      ))}
    </Section>
  );
}
