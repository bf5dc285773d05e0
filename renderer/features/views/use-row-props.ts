import { useUi } from '../../app/ui-store.ts';
import type { OutlineRow } from './outline.ts';
import { selectRow } from './use-grid-keys.ts';

/** Whether a click was on the row itself, and not on something in it that does something of its own. */
const isOnRow = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, a, input') === null;

/** ARIA, focus and selection of a row. `current`: it has the keyboard, or would get it. */
export function useRowProps(row: OutlineRow, index: number, current: boolean) {
  const selected = useUi((state) => state.node?.id === row.id);
  return {
    role: 'row',
    'data-item': row.id,
    'data-type': row.type,
    'aria-level': row.level,
    'aria-posinset': row.place,
    'aria-setsize': row.siblings,
    'aria-rowindex': index + 2,
    'aria-selected': selected,
    'aria-expanded': row.expanded ?? undefined,
    tabIndex: current ? 0 : -1,
    onClick: (event: { readonly target: EventTarget }) => {
      if (isOnRow(event.target)) selectRow(row);
    },
  } as const;
}
