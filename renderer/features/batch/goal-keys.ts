import type { KeyboardEvent } from 'react';
import type { Row } from './draft.ts';
import { addBelow, removeRow } from './row-menu.tsx';
import { textOf } from './task-fields.ts';

/** Enter in a goal begins the next task, Shift+Enter a line; Backspace in a blank task takes it out. */
export function onGoalKey(event: KeyboardEvent<HTMLTextAreaElement>, row: Row, place: number, only: boolean): void {
  if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.key === 'Enter') {
    event.preventDefault();
    addBelow(row.key);
  }
  const blank = textOf(row.task, 'goal') === '' && textOf(row.task, 'context') === '';
  if (event.key === 'Backspace' && blank && !(only && place === 0)) {
    event.preventDefault();
    removeRow(row.key, place + 1);
  }
}
