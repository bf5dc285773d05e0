import { useId, useState } from 'react';
import { TemplateName } from '../../../core/protocol/history.ts';
import { describeFailure, expectedFailure } from '../../app/client.ts';
import { closeOverlay, closeOverlayOf, useOverlay } from '../../app/ui-store.ts';
import { strings } from '../../shared/strings.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { saveTemplate } from './template-actions.ts';
import { countTasks, usableName } from './template-name.ts';
import './history.css';

const words = workStrings.templates;

interface Failure {
  readonly message: string;
  /** There is one of that name: it can be replaced. */
  readonly taken: boolean;
}

function Form({ batch, first }: { readonly batch: unknown; readonly first: string }) {
  const [name, setName] = useState(usableName(first));
  const [failure, setFailure] = useState<Failure | null>(null);
  const [saving, setSaving] = useState(false);
  const note = useId();
  const valid = TemplateName.safeParse(name).success;
  const save = async (replace: boolean): Promise<void> => {
    if (!valid || saving) return;
    setSaving(true);
    try {
      await saveTemplate(name.trim(), batch, replace);
      closeOverlayOf('save-template');
    } catch (error) {
      setFailure({ message: describeFailure(error).message, taken: expectedFailure(error)?.code === 'conflict' });
      setSaving(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save(false);
      }}
    >
      <h2 className="text-15 font-semi">{words.save}</h2>
      <input
        className="field"
        aria-label={words.name}
        aria-describedby={note}
        aria-invalid={failure !== null || undefined}
        maxLength={80}
        autoFocus
        onFocus={(event) => event.target.select()}
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          setFailure(null);
        }}
      />
      <p id={note} className={failure === null ? 'text-11 text-ink-3' : 'text-11 text-bad-text'} role="status">
        {failure?.message ?? (valid ? words.tasksOf(countTasks(batch)) : words.nameHint)}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={closeOverlay}>{strings.dialog.cancel}</Button>
        {failure?.taken === true ? (
          <Button kind="primary" disabled={saving} onClick={() => void save(true)}>
            {words.replace}
          </Button>
        ) : (
          <Button kind="primary" type="submit" disabled={saving || !valid}>
            {saving ? words.saving : words.saveAction}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Keeps a batch under a name: the overlay `save-template`. */
export function SaveTemplateDialog() {
  const overlay = useOverlay((state) => state.overlay);
  if (overlay?.type !== 'save-template') return null;
  return (
    <Dialog name={words.save} onClose={closeOverlay} className="w-[420px]">
      <Form batch={overlay.batch} first={overlay.name} />
    </Dialog>
  );
}
