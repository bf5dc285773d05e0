import type { ClipboardEvent, KeyboardEvent } from 'react';

const isTyped = (target: EventTarget): boolean => target instanceof HTMLInputElement;

/** What begins a path goes to the box for it, wherever the keyboard is; Ctrl A there means what it holds, never the page. */
export function keyToPath(event: KeyboardEvent, box: HTMLInputElement | null): void {
  if (box === null || isTyped(event.target)) return;
  const all = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a';
  const begins = !event.ctrlKey && !event.metaKey && !event.altKey && (event.key === '/' || event.key === '~');
  if (!all && !begins) return;
  // The path that stands there makes way for what is typed: the key itself goes into the box.
  box.focus();
  box.select();
  event.stopPropagation();
  if (all) event.preventDefault();
}

/** A path that is pasted beside every field goes to the box for it. */
export function pasteToPath(event: ClipboardEvent, box: HTMLInputElement | null, type: (text: string) => void): void {
  const text = event.clipboardData.getData('text/plain').trim();
  if (box === null || text === '' || isTyped(event.target)) return;
  event.preventDefault();
  event.stopPropagation();
  type(text);
  box.focus();
}
