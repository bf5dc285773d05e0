import { useEffect, useState } from 'react';
import { attempt, core } from '../../app/client.ts';
import { onOpenedBatch } from '../../app/desktop.ts';
import { useRun } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { openOverlay, requestFocus, ui, useUi } from '../../app/ui-store.ts';
import { bridge } from '../../shared/bridge.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import { attachFiles } from './attach.ts';
import { addReadFailure, useBatch } from './batch-store.ts';
import { takeTexts, type NamedText } from './batch-actions.ts';
import { aimAt, type Aim } from './drop-aim.ts';
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

/** Files on a row become a part of the message to its run, which waits in its box to be sent. */
async function attachToRun(id: string, files: readonly DroppedItem<File>[]): Promise<void> {
  const read = await Promise.all(
    files.map(async ({ file, name, path }) => {
      const content = await readFileText(file);
      return { name, path, text: content.type === 'text' ? content.text : null };
    }),
  );
  const place = `steer:${id}`;
  const { draft, left } = attachFiles(useUi.getState().drafts[place] ?? '', read);
  ui.keepDraft(place, draft);
  ui.selectRun(id);
  requestFocus('steer');
  for (const name of left) toastError(runStrings.steer.notAttached(name), runStrings.steer.tooMuch, name);
}

async function take({ folders, files, text }: Dropped<File>, aim: Aim = { type: 'window' }): Promise<void> {
  if (aim.type === 'run' && files.length > 0) {
    await attachToRun(aim.id, files);
    return;
  }
  const { texts, refused } = text === null ? await readFiles(files) : { texts: [{ text, name: null }], refused: [] };
  if (texts.length > 0) await takeTexts(texts, aim.type === 'set' ? aim.id : null);
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

/** What a drag hangs over; nothing while the editor lies over the tree. */
function aimOf(event: DragEvent): Aim {
  const place = event.target instanceof Element && !useBatch.getState().open ? event.target : null;
  return aimAt(place, event.dataTransfer?.types.includes('Files') ?? false, useLive.getState());
}

/** Marks the row or card that a drop would go to. */
function mark(aim: Aim | null): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-over]')) delete element.dataset['over'];
  if (aim === null || aim.type === 'window') return;
  const element = document.querySelector<HTMLElement>(`[data-drop-${aim.type}="${CSS.escape(aim.id)}"]`);
  if (element !== null) element.dataset['over'] = '';
}

/** Hears drags over the whole window. `show` says where something that could be taken would go, null while nothing hangs over it. */
function listen(tell: (aim: Aim | null) => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const takes = (event: DragEvent): boolean =>
    event.dataTransfer !== null && couldTake(event.dataTransfer.types, isField(event.target));
  const show = (aim: Aim | null): void => {
    mark(aim);
    tell(aim);
  };
  const over = (event: DragEvent): void => {
    if (event.defaultPrevented) return;
    const taken = takes(event);
    show(taken ? aimOf(event) : null);
    if (!taken || event.dataTransfer === null) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
  };
  const drop = (event: DragEvent): void => {
    show(null);
    if (event.defaultPrevented || !takes(event) || event.dataTransfer === null) return;
    event.preventDefault();
    void take(readEvent(event.dataTransfer), aimOf(event));
  };
  window.addEventListener('dragenter', over, { signal });
  window.addEventListener('dragover', over, { signal });
  // Only leaving the window has nothing that is entered.
  window.addEventListener('dragleave', (event) => event.relatedTarget === null && show(null), { signal });
  window.addEventListener('dragend', () => show(null), { signal });
  window.addEventListener('drop', drop, { signal });
  window.addEventListener('paste', onPaste, { signal });
  const stopTaking = onOpenedBatch(({ text, name }) => void takeTexts([{ text, name }]));
  return () => {
    stopTaking();
    listening.abort();
  };
}

const sameAim = (a: Aim | null, b: Aim | null): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Takes what is dropped or pasted anywhere: texts and files become tasks, or a part of a message to a run; a folder a project. */
export function DropTarget() {
  const [aim, setAim] = useState<Aim | null>(null);
  const run = useRun(aim?.type === 'run' ? aim.id : null);
  // A drag tells of itself all the time: what is the same draws nothing.
  useEffect(() => listen((next) => setAim((before) => (sameAim(before, next) ? before : next))), []);
  if (aim === null) return null;
  if (aim.type !== 'window') {
    const label = visibleText(run?.label ?? run?.goal.slice(0, 80) ?? '');
    return (
      <p className="drop-hint" role="status">
        {aim.type === 'set' ? words.onSet(aim.set) : words.onRun(label)}
      </p>
    );
  }
  return (
    <div className="drop-veil" role="status">
      <div className="drop-words">
        <p className="text-15 font-semi">{words.overlayFolder}</p>
        <p className="text-ink-2">{words.detail}</p>
      </div>
    </div>
  );
}
