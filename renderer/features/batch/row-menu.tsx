import { startStrings } from '../../shared/start-strings.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { edit, useBatch } from './batch-store.ts';
import type { Row } from './draft.ts';
import { requestRow } from './row-focus.ts';
import { chooseImages } from './task-attachments.ts';
import { addTask, canSplit, duplicateTask, mergeWithNext, removeTask, splitTask } from './row-operations.ts';

const words = startStrings.batch;

/** Adds a blank task below a row, or at the end, and puts the caret in it. */
export function addBelow(key: string | null): void {
  edit((draft) => addTask(draft, key));
  const { rows } = useBatch.getState().draft;
  const place = key === null ? rows.length - 1 : rows.findIndex((row) => row.key === key) + 1;
  const added = rows[place];
  if (added !== undefined) requestRow(added.key, 'goal');
}

/** Takes a row out, and puts the focus on what is in its place. */
export function removeRow(key: string, number: number): void {
  edit((draft) => removeTask(draft, key), words.did.remove(number));
  const { rows } = useBatch.getState().draft;
  const next = rows[number - 1] ?? rows.at(-1);
  if (next !== undefined) requestRow(next.key, 'goal');
}

/** What can be done with a task as a whole. */
export function RowMenu({ row, number, last }: { readonly row: Row; readonly number: number; readonly last: boolean }) {
  const { key, task } = row;
  return (
    <Menu
      trigger={<IconButton icon="more" name={words.more(number)} />}
      groups={[
        [
          { label: words.insert, icon: 'plus', onSelect: () => addBelow(key) },
          { label: words.attachImages, icon: 'file', onSelect: () => chooseImages(key) },
          { label: words.duplicate, onSelect: () => edit((draft) => duplicateTask(draft, key)) },
          {
            label: words.split,
            disabled: !canSplit(task),
            onSelect: () => edit((draft) => splitTask(draft, key), words.did.split(number)),
          },
          {
            label: words.merge,
            disabled: last,
            onSelect: () => edit((draft) => mergeWithNext(draft, key), words.did.merge(number)),
          },
        ],
        [{ label: words.remove, onSelect: () => removeRow(key, number) }],
      ]}
    />
  );
}
