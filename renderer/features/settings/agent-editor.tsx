import { useId, useState } from 'react';
import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import { useProjects } from '../../app/live-rows.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { valuesOf, type AgentDraft } from './agent-draft.ts';
import { AgentForm } from './agent-form.tsx';
import { useAgentEditor, type AgentEditor } from './use-agent-editor.ts';

const words = settingsStrings.agents;
type Mode = 'form' | 'text';
const MODES = (['form', 'text'] as const).map((value) => ({ value, label: words.modes[value] }));

function TextMode({ editor }: { readonly editor: AgentEditor }) {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{words.text}</label>
      <textarea
        id={id}
        className="field font-mono text-mono"
        rows={18}
        spellCheck={false}
        value={editor.text}
        readOnly={editor.busy}
        aria-busy={editor.busy}
        onChange={(event) => {
          editor.setText(event.target.value);
        }}
      />
    </>
  );
}

/** Whether it can be used as it is, and what is odd with the whole of it. */
function Verdict({ editor, isForm }: { readonly editor: AgentEditor; readonly isForm: boolean }) {
  const { review, problem } = editor;
  const onFields = isForm ? [] : (review?.fields.flatMap(({ warnings }) => warnings) ?? []);
  return (
    <div role="status" className="min-w-0 grow text-11">
      {problem !== null && <p className="text-bad-text">{visibleText(problem)}</p>}
      {review === undefined && <p className="text-ink-3">{words.reviewing}</p>}
      {review?.fault != null && <p className="text-bad-text">{visibleText(review.fault)}</p>}
      {review?.fault === null && <p className="text-ink-3">{words.fine}</p>}
      {[...(review?.warnings ?? []), ...onFields].map((warning) => (
        <p key={warning} className="text-warn">
          {visibleText(warning)}
        </p>
      ))}
    </div>
  );
}

/** The definition as it could last be used: while a field is wrong, the form stays and says so there. */
function useLastGood(agent: AgentDefinition | null): AgentDefinition | null {
  const [last, setLast] = useState(agent);
  if (agent !== null && agent !== last) setLast(agent);
  return agent ?? last;
}

function nameOf({ path }: AgentDraft, id: string | undefined): string {
  return path === null ? words.newEditor : words.editorOf(visibleText(id ?? path));
}

/** Where it lies; of a new one whose it is to be. */
function Place({
  path,
  projectId,
  onChange,
}: {
  readonly path: string | null;
  readonly projectId: string | null;
  readonly onChange: (projectId: string | null) => void;
}) {
  const projects = useProjects();
  if (path !== null) {
    return (
      <>
        <span className="form-label">{words.path}</span>
        <code className="pt-1 break-all">{visibleText(path)}</code>
      </>
    );
  }
  return (
    <>
      <span className="form-label">{words.where}</span>
      <Select
        name={words.where}
        className="w-[240px]"
        value={projectId ?? ''}
        options={[
          { value: '', label: words.everywhere },
          ...projects.map(({ project_id, name }) => ({
            value: project_id,
            label: words.whereProject(visibleText(name)),
          })),
        ]}
        onChange={(next) => {
          onChange(next === '' ? null : next);
        }}
      />
    </>
  );
}

/** Writes or changes one definition, as a form or as its text. A project's file that was trusted stays so through its own saving. */
export function AgentEditorForm({ draft, onDone }: { readonly draft: AgentDraft; readonly onDone: () => void }) {
  const editor = useAgentEditor(draft);
  const [mode, setMode] = useState<Mode>('form');
  const [projectId, setProjectId] = useState(draft.projectId);
  const agent = useLastGood(editor.review?.agent ?? null);
  // What could never be used has no fields to show.
  const isForm = mode === 'form' && agent !== null;
  const name = nameOf(draft, agent?.id);
  return (
    <form
      className="settings-form"
      aria-label={name}
      onSubmit={(event) => {
        event.preventDefault();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone();
      }}
    >
      <span className="form-label">{words.as}</span>
      <div>
        <Segmented name={words.as} value={isForm ? 'form' : 'text'} options={MODES} onChange={setMode} />
      </div>
      <Place path={draft.path} projectId={projectId} onChange={setProjectId} />
      {isForm ? <AgentForm editor={editor} values={valuesOf(agent)} /> : <TextMode editor={editor} />}
      <span />
      <div className="flex flex-wrap items-start gap-2">
        <Verdict editor={editor} isForm={isForm} />
        <Button onClick={onDone}>{settingsStrings.cancel}</Button>
        <Button
          kind="primary"
          disabled={editor.review?.fault !== null}
          onClick={() => void editor.save(projectId).then((saved) => saved && onDone())}
        >
          {settingsStrings.save}
        </Button>
      </div>
    </form>
  );
}
