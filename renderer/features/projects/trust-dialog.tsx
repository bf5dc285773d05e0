import { useEffect, useState } from 'react';
import type { ProjectRow } from '../../../core/protocol/rows.ts';
import { attempt, core } from '../../app/client.ts';
import { DefinitionFiles } from '../../app/definition-files.tsx';
import { useProject } from '../../app/live-rows.ts';
import { closeOverlay, useOverlay } from '../../app/ui-store.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

const words = strings.trust;

type Definitions = NonNullable<ProjectRow['definitions']>;

/** Shows what would be trusted, and trusts exactly that (A4): what changes while it is looked at must be looked at again. */
function Trust({ project, now }: { readonly project: ProjectRow; readonly now: Definitions }) {
  const [seen, setSeen] = useState(now);
  const { project_id } = project;
  const name = visibleText(project.name);
  const { digest, files, faults } = seen;
  const changed = now.digest !== digest;
  const trust = (): void => {
    closeOverlay();
    void attempt(strings.sidebar.trust, () => core.projects.trust({ project_id, trusted: true, digest }));
  };
  return (
    <Dialog name={words.title(name)} onClose={closeOverlay} className="trust-dialog">
      <div className="trust-text">
        <h2 className="text-15 font-semi">{words.title(name)}</h2>
        <p className="text-ink-2">{words.text}</p>
      </div>
      <div className="trust-files" role="group" aria-label={words.files} tabIndex={0}>
        <DefinitionFiles key={digest} project_id={project_id} digest={digest} files={files} />
      </div>
      <div className="trust-text">
        {faults.length > 0 && <p className="text-bad-text">{words.faulty(faults.map(visibleText).join(' '))}</p>}
        <div className="flex flex-wrap items-center justify-end gap-2">
          {changed && (
            <p role="status" className="grow text-need">
              {words.changed}
            </p>
          )}
          <Button onClick={closeOverlay} autoFocus>
            {strings.dialog.cancel}
          </Button>
          {changed ? (
            <Button
              onClick={() => {
                setSeen(now);
              }}
            >
              {words.again}
            </Button>
          ) : (
            <Button kind="primary" disabled={faults.length > 0} onClick={trust}>
              {words.action}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** The question whether a project's own definitions may hold, while it is open. */
export function TrustDialog() {
  const overlay = useOverlay((state) => state.overlay);
  const id = overlay?.type === 'trust' ? overlay.project_id : null;
  const project = useProject(id);
  useEffect(() => {
    // The core looks at the folders again; what changed comes by the feed.
    if (id !== null) void core.projects.list();
  }, [id]);
  if (project === undefined || project.definitions === null) return null;
  return <Trust key={project.project_id} project={project} now={project.definitions} />;
}
