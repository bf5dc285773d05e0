import type { ProjectRow } from '../../../core/protocol/rows.ts';
import { runCommand } from '../../app/commands.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Step } from './step.tsx';

const words = startStrings.first;

/** The second step: the folder that the agents work in. */
export function ProjectStep({ project }: { readonly project: ProjectRow | undefined }) {
  return (
    <Step
      state={project === undefined ? 'now' : 'done'}
      title={project === undefined ? words.attachStep : words.attached(project.name)}
      hint={words.attachHint}
    >
      <div className="step-panel">
        <div className="find-row is-project">
          <span className="text-ink-2">
            <Icon name="folder" />
          </span>
          {project === undefined ? (
            <span className="el text-ink-2">{words.chooseHint}</span>
          ) : (
            <span className="flex min-w-0 items-center gap-3">
              <code className="el" title={project.path}>
                {project.path}
              </code>
              <span className="flex-none text-ink-3">{project.git ? words.git : words.noGit}</span>
            </span>
          )}
          <Button kind={project === undefined ? 'primary' : 'plain'} onClick={() => runCommand('attach')}>
            {project === undefined ? words.choose : words.chooseAnother}
          </Button>
        </div>
      </div>
    </Step>
  );
}
