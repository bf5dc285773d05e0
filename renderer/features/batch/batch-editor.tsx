import { useEffect } from 'react';
import { useCommand } from '../../app/commands.ts';
import { lazyPart } from '../../app/lazy-part.tsx';
import { OverWaiting } from '../../app/pane-waiting.tsx';
import { closeOverlay, useOverlay } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { addText, currentPlace, openForSet, openHere } from './batch-actions.ts';
import { closeEditor, openEditor, useBatch } from './batch-store.ts';

const words = startStrings.batch;
const Editor = lazyPart(async () => (await import('./editor.tsx')).Editor, {
  waiting: <OverWaiting />,
  onClose: closeEditor,
});

/** The batch editor: drawn while it is open, opened by the overlay `batch`. */
export function BatchEditor() {
  const open = useBatch((state) => state.open);
  const overlay = useOverlay((state) => state.overlay);
  useCommand({
    id: 'batch',
    title: words.newBatch,
    chord: 'mod+shift+b',
    run: () => openHere(false),
  });
  useEffect(() => {
    if (overlay?.type !== 'batch') return;
    closeOverlay();
    const fresh = overlay.text.trim() !== '';
    if (overlay.delegation_id !== undefined) openForSet(overlay.delegation_id, fresh);
    else if (overlay.here === true) openHere(fresh);
    else openEditor(overlay.project_id ?? currentPlace().project, overlay.conversation_id, fresh);
    if (fresh) void addText(overlay.text, overlay.name);
  }, [overlay]);
  return open ? <Editor /> : null;
}
