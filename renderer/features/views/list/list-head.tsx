import { viewStrings } from '../../../shared/view-strings.ts';
import { Icon } from '../../../ui/icon.tsx';
import { COLUMNS, nextSort, type Column } from '../sorting.ts';
import { useViews } from '../view-state.ts';

const words = viewStrings.list;

function Head({ column }: { readonly column: Column }) {
  const sort = useViews((state) => (state.sort?.by === column ? state.sort : null));
  const name = words.columns[column];
  return (
    <span
      role="columnheader"
      data-column={column}
      aria-sort={sort === null ? 'none' : sort.down ? 'descending' : 'ascending'}
    >
      <button
        type="button"
        title={words.sortBy(name)}
        onClick={() => {
          useViews.setState(({ sort: now }) => ({ sort: nextSort(now, column) }));
        }}
      >
        {name}
        {sort !== null && <Icon name={sort.down ? 'down' : 'up'} size={12} />}
      </button>
    </span>
  );
}

/** The heads of the columns; each sorts by its column. */
export function ListHead() {
  return (
    <div className="list-grid list-head" role="row" aria-rowindex={1}>
      {COLUMNS.map((column) => (
        <Head key={column} column={column} />
      ))}
    </div>
  );
}
