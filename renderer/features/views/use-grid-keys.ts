import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type RefObject } from 'react';
import { useLive } from '../../app/live.ts';
import { labelOf } from '../../app/row-text.ts';
import { pressStop } from '../../app/stop.ts';
import { areRowsWanted, onFocusRequest, rowsGiven, ui, useUi } from '../../app/ui-store.ts';
import { treeMove, typeahead, typedText, type TreeItem, type TreeMove } from '../../shared/tree-moves.ts';
import { isRowKey, itemOf } from './row-keys.ts';
import { focusRow, useViews } from './view-state.ts';

/** Rows that Page Up and Page Down step over. */
const PAGE = 12;

const foldsAll = (): boolean => true;

/** Rows that have an element only while they are in view. */
interface Grid {
  readonly container: RefObject<HTMLElement | null>;
  readonly rows: readonly TreeItem[];
  readonly scrollTo: (index: number) => void;
}

/** Gives a row the keyboard; one that comes into view only now is drawn a frame or two later. */
function focusElement(element: HTMLElement | null, id: string, tries = 4): void {
  const row = element?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`) ?? null;
  if (row !== null) row.focus({ preventScroll: true });
  else if (tries > 0)
    requestAnimationFrame(() => {
      focusElement(element, id, tries - 1);
    });
}

function nameOf(item: TreeItem): string {
  const { runs, sets } = useLive.getState();
  const run = runs.get(item.id);
  return run === undefined ? (sets.get(item.id)?.title ?? '') : labelOf(run);
}

/** Selects what a row is of; the inspector shows it. */
export function selectRow({ id, type }: Pick<TreeItem, 'id' | 'type'>): void {
  if (type === 'set') ui.selectSet(id);
  else ui.selectRun(id);
}

function moveFocus({ container, rows, scrollTo }: Grid, id: string): void {
  const index = rows.findIndex((row) => row.id === id);
  if (index < 0) return;
  focusRow(id);
  scrollTo(index);
  focusElement(container.current, id);
}

function act(grid: Grid, move: TreeMove): void {
  switch (move.type) {
    case 'focus':
      moveFocus(grid, move.id);
      return;
    case 'fold':
      ui.foldSet(move.id);
      return;
    case 'open':
    case 'peek': {
      const row = grid.rows.find(({ id }) => id === move.id);
      if (row !== undefined) selectRow(row);
      return;
    }
    case 'stop': {
      const isLead = grid.rows.find(({ id }) => id === move.id)?.type === 'lead';
      const run = useLive.getState().runs.get(move.id);
      pressStop(isLead ? (run?.conversation_id ?? move.id) : move.id);
      return;
    }
  }
}

/** Page Up and Page Down; null for another key. */
function pageMove(rows: readonly TreeItem[], current: string | null, key: string): TreeMove | null {
  if (key !== 'PageDown' && key !== 'PageUp') return null;
  const at = rows.findIndex(({ id }) => id === current) + (key === 'PageDown' ? PAGE : -PAGE);
  const row = rows[Math.max(0, Math.min(rows.length - 1, at))];
  return row === undefined ? null : { type: 'focus', id: row.id };
}

const keyMove = (rows: readonly TreeItem[], current: string | null, key: string): TreeMove | null =>
  pageMove(rows, current, key) ?? treeMove(rows, current, key, foldsAll);

function textMove(rows: readonly TreeItem[], current: string | null, text: string): TreeMove | null {
  const id = typeahead(rows, nameOf, current, text);
  return id === null ? null : { type: 'focus', id };
}

/** Keys of a grid of rows with levels: arrows, Home, End, pages, typeahead, Enter, Space, Delete (ui.md, Everyone). */
export function useGridKeys(grid: Grid): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 });
  const selected = useUi((state) => state.node?.id ?? null);
  const show = useEffectEvent((id: string) => {
    const index = grid.rows.findIndex((row) => row.id === id);
    if (index >= 0) grid.scrollTo(index);
  });
  useEffect(() => {
    if (selected !== null) show(selected);
  }, [selected]);
  const takeFocus = useEffectEvent(() => {
    const id = useUi.getState().node?.id ?? useViews.getState().focused ?? grid.rows[0]?.id;
    if (id === undefined) return;
    rowsGiven();
    moveFocus(grid, id);
  });
  useEffect(
    () =>
      onFocusRequest('tree', () => {
        takeFocus();
      }),
    [],
  );
  const hasRows = grid.rows.length > 0;
  useEffect(() => {
    if (hasRows && areRowsWanted()) takeFocus();
  }, [hasRows]);

  return (event) => {
    if (!isRowKey(event)) return;
    const current = itemOf(event.target);
    const text = typedText(typed.current, event);
    if (text !== null) typed.current = { text, at: event.timeStamp };
    const move = text === null ? keyMove(grid.rows, current, event.key) : textMove(grid.rows, current, text);
    if (move !== null) act(grid, move);
    if (move === null && text === null) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
