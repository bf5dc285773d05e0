import type { ClipboardEvent, DragEvent } from 'react';
import { onlyImages } from '../../app/image-files.ts';
import { addText } from './batch-actions.ts';
import { edit } from './batch-store.ts';
import { removeTask } from './row-operations.ts';
import { attachToTask } from './task-attachments.ts';

/** Images that are dropped or pasted on a task go along with it; other files make tasks, as everywhere. */
export function takeImages(event: ClipboardEvent | DragEvent, key: string): void {
  const transfer = 'clipboardData' in event ? event.clipboardData : event.dataTransfer;
  const images = onlyImages([...transfer.files]);
  if (images === null) return;
  event.preventDefault();
  void attachToTask(
    key,
    images.map((file) => ({ file, name: file.name, folder: false, path: '' })),
  );
}

/** A pasted list in a goal that is still blank becomes tasks. */
export function onPasteGoal(event: ClipboardEvent<HTMLTextAreaElement>, key: string): void {
  const text = event.clipboardData.getData('text/plain');
  if (event.currentTarget.value.trim() !== '' || !text.trim().includes('\n')) return;
  event.preventDefault();
  void addText(text, null).then((added) => {
    if (added) edit((draft) => removeTask(draft, key));
  });
}
