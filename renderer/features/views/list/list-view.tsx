import { useRef } from 'react';
import { viewStrings } from '../../../shared/view-strings.ts';
import { Switch } from '../../../ui/button.tsx';
import { FilterBar } from '../filter-bar.tsx';
import { NoRows } from '../no-rows.tsx';
import type { OutlineRow } from '../outline.ts';
import { COLUMNS } from '../sorting.ts';
import { itemOf } from '../row-keys.ts';
import { ReplayDock } from '../replay-dock.tsx';
import { useGridKeys } from '../use-grid-keys.ts';
import { useOutline } from '../use-outline.ts';
import { useCurrent, useRows } from '../use-rows.ts';
import { focusRow, holdRows, useViews } from '../view-state.ts';
import { ListHead } from './list-head.tsx';
import { ListRow } from './list-row.tsx';
import '../views.css';
import './list.css';

const words = viewStrings.list;

const HEAD = 28;
/** Heights of rows, as in `list.css`. */
const HEIGHT = { lead: 32, set: 36, run: 28 } as const satisfies Record<OutlineRow['type'], number>;
const heightOf = (row: OutlineRow): number => HEIGHT[row.type];

function Levels() {
  const flat = useViews((state) => state.flat);
  return (
    <span className="flex flex-none items-center gap-2 text-11 text-ink-2">
      <span aria-hidden>{viewStrings.filter.flat}</span>
      <Switch
        name={viewStrings.filter.flat}
        checked={!flat}
        onChange={(levels) => {
          useViews.setState({ flat: !levels });
        }}
      />
    </span>
  );
}

function Grid({ rows }: { readonly rows: readonly OutlineRow[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRows(rows, scroller, heightOf, HEAD);
  const scrollTo = (index: number): void => {
    virtual.scrollToIndex(index, { align: 'auto' });
  };
  const current = useCurrent(rows);
  const onKeyDown = useGridKeys({ container: scroller, rows, scrollTo });
  return (
    <div
      ref={scroller}
      className="list"
      role="treegrid"
      aria-label={words.name}
      aria-rowcount={rows.length + 1}
      aria-colcount={COLUMNS.length}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        focusRow(itemOf(event.target) ?? useViews.getState().focused);
      }}
      onPointerEnter={() => {
        holdRows(true);
      }}
      onPointerLeave={() => {
        holdRows(false);
      }}
    >
      <ListHead />
      <div className="list-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <div
              key={key}
              className="list-place"
              role="presentation"
              style={{ transform: `translateY(${start - HEAD}px)` }}
            >
              <ListRow row={row} index={index} current={row.id === current} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The conversation as a list with levels: sortable, filterable, live. */
export function ListView({ conversationId }: { readonly conversationId: string }) {
  const { rows, shown, all } = useOutline(conversationId, 'list');
  return (
    <div className="view">
      <FilterBar conversationId={conversationId} shown={shown} all={all} replay>
        <Levels />
      </FilterBar>
      {rows.length === 0 ? <NoRows all={all} /> : <Grid rows={rows} />}
      <ReplayDock conversationId={conversationId} />
    </div>
  );
}
