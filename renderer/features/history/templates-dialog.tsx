import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, describeFailure } from '../../app/client.ts';
import { closeOverlay, useOverlay } from '../../app/ui-store.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { removeConfirmed, templateActions } from './template-actions.ts';
import { TemplateRow } from './template-row.tsx';
import './history.css';

const words = workStrings.templates;

/** Asked in the dialog itself: the list stays where it is. */
function Confirm({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  return (
    <div className="template-confirm" role="alertdialog" aria-label={words.removeTitle(visibleText(name))}>
      <div className="min-w-0 grow">
        <p className="font-med break-words">{words.removeTitle(visibleText(name))}</p>
        <p className="text-ink-2">{words.removeText}</p>
      </div>
      <Button onClick={onDone} autoFocus>
        {strings.dialog.cancel}
      </Button>
      <Button
        kind="primary"
        onClick={() => {
          onDone();
          removeConfirmed(name);
        }}
      >
        {strings.dialog.remove}
      </Button>
    </div>
  );
}

function List() {
  const { data, error } = useQuery({ ...api.templates.list.queryOptions(), staleTime: 0 });
  const [removing, setRemoving] = useState<string | null>(null);
  const actions = templateActions(setRemoving);
  if (error !== null)
    return (
      <p className="template-note" role="alert">
        {words.failed(describeFailure(error).message)}
      </p>
    );
  if (data === undefined) return <p className="template-note">{words.loading}</p>;
  if (data.length === 0)
    return (
      <div className="template-note">
        <p className="font-med text-ink-1">{words.none}</p>
        <p>{words.noneHint}</p>
      </div>
    );
  return (
    <>
      {removing !== null && <Confirm name={removing} onDone={() => setRemoving(null)} />}
      <ul className="template-list" aria-label={words.list}>
        {data.map((row) => (
          <TemplateRow key={row.name} row={row} actions={actions} />
        ))}
      </ul>
    </>
  );
}

/** The batches that are kept under a name: use, rename, delete. */
export function TemplatesDialog() {
  const open = useOverlay((state) => state.overlay?.type === 'templates');
  if (!open) return null;
  return (
    <Dialog name={words.title} onClose={closeOverlay} className="w-[520px]">
      <div className="flex items-center px-4 pt-3 pb-2">
        <h2 className="grow text-15 font-semi">{words.title}</h2>
        <IconButton icon="close" name={strings.dialog.close} onClick={closeOverlay} />
      </div>
      <List />
    </Dialog>
  );
}
