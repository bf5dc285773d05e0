import { useEffect, useState } from 'react';
import { attempt, core } from '../../app/client.ts';
import { openOverlay, ui } from '../../app/ui-store.ts';
import { bridge } from '../../shared/bridge.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import { addReadFailure, useBatch } from './batch-store.ts';
import { takeTexts, type NamedText } from './batch-actions.ts';
import { couldTake, readTransfer, type Dropped, type DroppedItem } from './dropped-data.ts';
import { readFileText } from './file-text.ts';

const words = startStrings.drop;

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest('.xterm') !== null);

interface ReadFiles {
  readonly texts: readonly NamedText[];
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

async function readFiles(files: readonly DroppedItem<File>[]): Promise<ReadFiles> {
  const reads = await Promise.all(files.map(async ({ file, name }) => ({ name, read: await readFileText(file) })));
  return {
    texts: reads.flatMap(({ name, read }) => (read.type === 'text' ? [{ text: read.text, name }] : [])),
    refused: reads.flatMap(({ name, read }) => (read.type === 'refused' ? [{ name, why: read.why }] : [])),
  };
}

/** Says in the editor which files were not read, where it is open, else in a toast. */
function tellRefused(refused: ReadFiles['refused']): void {
  for (const { name, why } of refused) {
    if (useBatch.getState().open) addReadFailure(name, { message: why, fix: '' });
    else toastError(words.notAdded(name), why, `${name}\n${why}`);
  }
}

/** On the desktop a folder becomes a project; a page in a browser gets no path and lets the user find it. */
async function takeFolders(folders: readonly DroppedItem<File>[]): Promise<void> {
  const [first] = folders;
  if (first === undefined) return;
  if (folders.some(({ path }) => path === '')) {
    openOverlay({ type: 'folder', name: first.name });
    if (folders.length > 1) toast(words.onlyOneFolder);
    return;
  }
  for (const { path } of folders) {
    await attempt(words.attachFailed, async () => {
      ui.beginIn((await core.projects.add({ path })).project_id);
    });
  }
}

async function take({ folders, files, text }: Dropped<File>): Promise<void> {
  const { texts, refused } = text === null ? await readFiles(files) : { texts: [{ text, name: null }], refused: [] };
  if (texts.length > 0) await takeTexts(texts);
  else if (folders.length === 0 && files.length === 0) toast(words.nothing);
  tellRefused(refused);
  await takeFolders(folders);
}

const readEvent = (transfer: DataTransfer): Dropped<File> => {
  const desktop = bridge();
  return readTransfer(transfer, desktop?.pathOf === undefined ? null : (file) => desktop.pathOf?.(file) ?? '');
};

function onPaste(event: ClipboardEvent): void {
  const { clipboardData } = event;
  if (clipboardData === null || event.defaultPrevented) return;
  // A field takes a text itself; files it could not.
  const hasFiles = clipboardData.types.includes('Files') && !clipboardData.types.includes('text/plain');
  if (isField(event.target) && !hasFiles) return;
  if (document.querySelector('dialog[open]') !== null) return;
  const dropped = readEvent(clipboardData);
  if (dropped.text === null && dropped.files.length + dropped.folders.length === 0) return;
  event.preventDefault();
  void take(dropped);
}

/** Hears drags over the whole window. `show` says whether something that could be taken hangs over it. */
function listen(show: (over: boolean) => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const takes = (event: DragEvent): boolean =>
    event.dataTransfer !== null && couldTake(event.dataTransfer.types, isField(event.target));
  const over = (event: DragEvent): void => {
    if (event.defaultPrevented) return;
    const taken = takes(event);
    show(taken);
    if (!taken || event.dataTransfer === null) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  };
  const drop = (event: DragEvent): void => {
    show(false);
    if (event.defaultPrevented || !takes(event) || event.dataTransfer === null) return;
    event.preventDefault();
    void take(readEvent(event.dataTransfer));
  };
  window.addEventListener('dragenter', over, { signal });
  window.addEventListener('dragover', over, { signal });
  // Only leaving the window has nothing that is entered.
  window.addEventListener('dragleave', (event) => event.relatedTarget === null && show(false), { signal });
  window.addEventListener('dragend', () => show(false), { signal });
  window.addEventListener('drop', drop, { signal });
  window.addEventListener('paste', onPaste, { signal });
  return () => listening.abort();
}

/** Takes what is dropped or pasted anywhere: texts and files become tasks, a folder a project. */
export function DropTarget() {
  const [over, setOver] = useState(false);
  useEffect(() => listen(setOver), []);
  if (!over) return null;
  return (
    <div className="drop-veil" role="status">
      <div className="flex max-w-[420px] flex-col gap-1 text-center">
        <p className="text-15 font-semi">{words.overlayFolder}</p>
        <p className="text-ink-2">{words.detail}</p>
      </div>
    </div>
  );
}
