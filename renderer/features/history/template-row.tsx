import { useState } from 'react';
import type { TemplateRow as Row } from '../../../core/protocol/history.ts';
import { formatAge } from '../../shared/format.ts';
import { useNow } from '../../shared/ticks.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { Button, IconButton } from '../../ui/button.tsx';

const words = workStrings.templates;

export interface TemplateActions {
  readonly use: (name: string) => void;
  /** Answers whether it has the new name. */
  readonly rename: (name: string, next: string) => Promise<boolean>;
  readonly remove: (name: string) => void;
}

function Rename({
  name,
  rename,
  onDone,
}: {
  readonly name: string;
  readonly rename: TemplateActions['rename'];
  readonly onDone: () => void;
}) {
  const save = (value: string): void => {
    const next = value.trim();
    if (next === '' || next === name) onDone();
    else void rename(name, next).then((done) => done && onDone());
  };
  return (
    <input
      className="field w-full"
      aria-label={words.newName(visibleText(name))}
      defaultValue={name}
      maxLength={80}
      autoFocus
      onFocus={(event) => event.target.select()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save(event.currentTarget.value);
        if (event.key !== 'Escape') return;
        // It ends the renaming, not the dialog.
        event.preventDefault();
        event.stopPropagation();
        onDone();
      }}
      onBlur={onDone}
    />
  );
}

/** One template: what it is, and what can be done with it. */
export function TemplateRow({ row, actions }: { readonly row: Row; readonly actions: TemplateActions }) {
  const [renaming, setRenaming] = useState(false);
  const now = useNow();
  const name = visibleText(row.name);
  const about = [row.title === null || row.title === row.name ? null : visibleText(row.title), words.tasks(row.tasks)];
  return (
    <li className="template">
      <div className="min-w-0 grow">
        {renaming ? (
          <Rename name={row.name} rename={actions.rename} onDone={() => setRenaming(false)} />
        ) : (
          <p className="el font-med" title={name}>
            {name}
          </p>
        )}
        <p className="el text-11 text-ink-3">
          {about.filter((part) => part !== null).join(' · ')} · {formatAge(row.saved_at, now)}
        </p>
      </div>
      <Button aria-label={words.useOf(name)} onClick={() => actions.use(row.name)}>
        {words.use}
      </Button>
      {/* No menu: what lies over the page could not be reached from a modal dialog. */}
      <IconButton icon="edit" name={words.renameOf(name)} onClick={() => setRenaming(true)} />
      <IconButton icon="close" name={words.removeOf(name)} onClick={() => actions.remove(row.name)} />
    </li>
  );
}
