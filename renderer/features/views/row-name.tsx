import type { ReactNode } from 'react';
import { ui } from '../../app/ui-store.ts';
import { viewStrings } from '../../shared/view-strings.ts';
import { Icon } from '../../ui/icon.tsx';
import type { OutlineRow } from './outline.ts';

const words = viewStrings.list;

/** Pixels that each level is further in. */
const INDENT = 16;

/** The first cell of a row: how deep it is, whether it is folded, and what it is. */
export function RowName({
  row,
  name,
  role,
  children,
}: {
  readonly row: OutlineRow;
  /** As after *Collapse*. */
  readonly name: string;
  readonly role: 'gridcell' | 'rowheader';
  readonly children: ReactNode;
}) {
  return (
    <span className="row-name" role={role} style={{ paddingLeft: (row.level - 1) * INDENT }}>
      {row.expanded === null || row.type === 'lead' ? (
        <span className="row-fold" />
      ) : (
        <button
          type="button"
          className="row-fold"
          tabIndex={-1}
          aria-label={row.expanded ? words.fold(name) : words.unfold(name)}
          onClick={() => {
            ui.foldSet(row.id);
          }}
        >
          <Icon name={row.expanded ? 'down' : 'right'} />
        </button>
      )}
      {children}
      {row.hidden > 0 && <span className="flex-none text-11 text-ink-3">{words.folded(row.hidden)}</span>}
    </span>
  );
}
