import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { edit, useBatch } from './batch-store.ts';
import type { TaskFields } from './draft.ts';
import { limitWords } from './limit-words.ts';
import { applyToAll, SHARED_FIELDS, type SharedField } from './row-operations.ts';
import { objectOf, textOf } from './task-fields.ts';
import { effective, type World } from './world.ts';

const words = startStrings.batch;

/** The row that was last in use, else the first. */
export function useActiveRow(): { readonly key: string; readonly task: TaskFields; readonly number: number } | null {
  const rows = useBatch((state) => state.draft.rows);
  const active = useBatch((state) => state.active);
  const place = Math.max(
    0,
    rows.findIndex(({ key }) => key === active),
  );
  const row = rows[place];
  return row === undefined ? null : { ...row, number: place + 1 };
}

function valueInWords(field: SharedField, task: TaskFields, head: TaskFields, world: World): string {
  const run = effective(task, head, world);
  switch (field) {
    case 'agent':
      return run.agent;
    case 'model':
      return textOf(task, 'model') || words.nothingSaid;
    case 'isolation':
      return textOf(task, 'isolation') || words.nothingSaid;
    case 'limits':
      return limitWords(objectOf(task, 'limits')) || words.nothingSaid;
    case 'context':
      return (textOf(task, 'context').split('\n')[0] ?? '').slice(0, 40) || words.nothingSaid;
  }
}

/** Gives all tasks a value of the one that is in use. */
export function ApplyMenu({ world }: { readonly world: World }) {
  const row = useActiveRow();
  const head = useBatch((state) => state.draft.head);
  const count = useBatch((state) => state.draft.rows.length);
  const items =
    row === null
      ? []
      : SHARED_FIELDS.map((field) => ({
          label: words.applyOf(words.fields[field], row.number, valueInWords(field, row.task, head, world)),
          onSelect: () => edit((draft) => applyToAll(draft, row.key, field), words.did.apply(words.fields[field])),
        }));
  return (
    <Menu
      trigger={
        <Button kind="text" className="text-ink-2" disabled={count < 2}>
          {words.applyToAll}
        </Button>
      }
      groups={[items]}
    />
  );
}
