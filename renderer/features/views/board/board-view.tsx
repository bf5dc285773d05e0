import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { pressStop } from '../../../app/stop.ts';
import { areRowsWanted, onFocusRequest, rowsGiven, ui } from '../../../app/ui-store.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { FilterBar } from '../filter-bar.tsx';
import { NoRows } from '../no-rows.tsx';
import { isRowKey, itemOf } from '../row-keys.ts';
import { ReplayDock } from '../replay-dock.tsx';
import { focusRow, holdRows, useViews } from '../view-state.ts';
import { Column } from './board-column.tsx';
import { BOARD_COLUMNS, boardMove, type Columns } from './columns.ts';
import { useBoard } from './use-board.ts';
import '../views.css';
import './board.css';

/** Gives a card the keyboard, once its column has brought it into view. */
function focusCard(element: HTMLElement | null, id: string, tries = 4): void {
  const card = element?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`) ?? null;
  if (card !== null) card.focus({ preventScroll: true });
  else if (tries > 0)
    requestAnimationFrame(() => {
      focusCard(element, id, tries - 1);
    });
}

/** What a key does with the card that has the keyboard. */
const ACTIONS: Readonly<Record<string, ((id: string) => void) | undefined>> = {
  Enter: ui.selectRun,
  ' ': ui.selectRun,
  Delete: pressStop,
  Backspace: pressStop,
};

/** Keys of the board: arrows within a column and to the next, Home, End, Enter, Space, Delete. */
function onBoardKey(event: KeyboardEvent<HTMLElement>, columns: Columns): void {
  if (!isRowKey(event)) return;
  const current = itemOf(event.target);
  const next = boardMove(columns, current, event.key);
  const act = current === null ? undefined : ACTIONS[event.key];
  if (next !== null) {
    focusRow(next);
    focusCard(event.currentTarget, next);
  } else if (act !== undefined && current !== null) act(current);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function useBoardFocus(element: RefObject<HTMLElement | null>, current: string | null): void {
  useEffect(
    () =>
      onFocusRequest('tree', () => {
        if (current === null) return;
        rowsGiven();
        focusCard(element.current, current);
      }),
    [element, current],
  );
  useEffect(() => {
    if (current === null || !areRowsWanted()) return;
    rowsGiven();
    focusCard(element.current, current);
  }, [element, current]);
}

function Cards({ columns }: { readonly columns: Columns }) {
  const element = useRef<HTMLDivElement>(null);
  const focused = useViews((state) => state.focused);
  const ids = BOARD_COLUMNS.flatMap((column) => columns[column]);
  const current = focused !== null && ids.includes(focused) ? focused : (ids[0] ?? null);
  useBoardFocus(element, current);
  return (
    <div
      ref={element}
      className="board"
      role="group"
      aria-label={viewStrings.board.name}
      data-rows
      onKeyDown={(event) => {
        onBoardKey(event, columns);
      }}
      onPointerOver={(event) => {
        holdRows(itemOf(event.target) !== null);
      }}
      onPointerLeave={() => {
        holdRows(false);
      }}
      onFocus={(event) => {
        focusRow(itemOf(event.target) ?? focused);
      }}
    >
      {BOARD_COLUMNS.map((column) => (
        <Column key={column} column={column} ids={columns[column]} current={current} />
      ))}
    </div>
  );
}

/** The runs of a conversation as cards in columns by state. */
export function BoardView({ conversationId }: { readonly conversationId: string }) {
  const { columns, shown, all } = useBoard(conversationId);
  return (
    <div className="view">
      <FilterBar conversationId={conversationId} shown={shown} all={all} replay />
      {all === 0 ? <NoRows all={0} /> : <Cards columns={columns} />}
      <ReplayDock conversationId={conversationId} />
    </div>
  );
}
