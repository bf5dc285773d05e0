import type { ReactFlowInstance } from '@xyflow/react';
import { useEffect, useEffectEvent, useRef, type KeyboardEvent, type RefObject } from 'react';
import { currentOf } from '../../app/current-runs.ts';
import { useLive } from '../../app/live.ts';
import { labelOf } from '../../app/row-text.ts';
import { pressStop } from '../../app/stop.ts';
import { treeMove, typeahead, typedText, type TreeItem, type TreeMove } from '../../shared/tree-moves.ts';
import { areRowsWanted, onFocusRequest, rowsGiven, ui, useUi } from '../../app/ui-store.ts';
import { setFocused, useTreeFocus } from './tree-focus.ts';
import type { TreeNode } from './tree-nodes.ts';

const MARGIN = 8;

type Flow = ReactFlowInstance<TreeNode>;

/** The card that shows an item: the set itself or the one it is a row of. */
function nodeOf(items: readonly TreeItem[], nodes: readonly TreeNode[], id: string): TreeNode | undefined {
  const item = items.find((other) => other.id === id);
  const card = item?.type === 'lead' ? 'root' : item?.type === 'run' ? item.parent : id;
  return nodes.find((node) => node.id === card);
}

/** The shift that brings the span `from`–`to` of one axis into `0`–`size`; the start wins if it does not fit. */
function shiftIntoView(from: number, to: number, size: number): number {
  if (from < MARGIN) return MARGIN - from;
  if (to > size - MARGIN) return Math.max(size - MARGIN - to, MARGIN - from);
  return 0;
}

function panTo(flow: Flow, element: HTMLElement, node: TreeNode, id: string): void {
  const { x, y, zoom } = flow.getViewport();
  const row = element.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`);
  const box = row?.getBoundingClientRect();
  const frame = element.getBoundingClientRect();
  const left = x + node.position.x * zoom;
  const top = box === undefined ? y + node.position.y * zoom : box.top - frame.top;
  const height = box?.height ?? (node.height ?? 0) * zoom;
  const dx = shiftIntoView(left, left + (node.width ?? 0) * zoom, frame.width);
  const dy = shiftIntoView(top, top + height, frame.height);
  if (dx !== 0 || dy !== 0) void flow.setViewport({ x: x + dx, y: y + dy, zoom });
}

/** Gives an item the keyboard; one that comes into view only now is drawn a frame or two later. */
function focusItem(element: HTMLElement, id: string, tries = 8): void {
  const item = element.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`);
  item?.focus({ preventScroll: true });
  // A card is not seen, and takes nothing, until it was measured.
  if ((item === null || item !== document.activeElement) && tries > 0)
    requestAnimationFrame(() => {
      focusItem(element, id, tries - 1);
    });
}

function nameOf(item: TreeItem): string {
  const { runs, sets } = useLive.getState();
  const run = runs.get(item.id);
  return run === undefined ? (sets.get(item.id)?.title ?? '') : labelOf(run);
}

const select = (item: TreeItem | undefined): void => {
  if (item === undefined) return;
  if (item.type === 'set') ui.selectSet(item.id);
  else ui.selectRun(item.id);
};

interface Place {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly flow: Flow | null;
  readonly items: readonly TreeItem[];
  readonly nodes: readonly TreeNode[];
}

/** Brings an item into view, and gives it the keyboard if asked. */
function showItem({ container, flow, items, nodes }: Place, id: string, withFocus: boolean): void {
  const element = container.current;
  const node = nodeOf(items, nodes, id);
  if (element === null || node === undefined || flow === null) return;
  panTo(flow, element, node, id);
  if (withFocus) focusItem(element, id);
}

function act(place: Place, move: TreeMove): void {
  switch (move.type) {
    case 'focus':
      setFocused(move.id);
      showItem(place, move.id, true);
      return;
    case 'fold':
      ui.foldSet(move.id);
      return;
    case 'open':
    case 'peek':
      select(place.items.find(({ id }) => id === move.id));
      return;
    case 'stop': {
      const { runs } = useLive.getState();
      const isLead = place.items.find(({ id }) => id === move.id)?.type === 'lead';
      // The stop of the root is the stop of the conversation, as its button says.
      pressStop(isLead ? (runs.get(move.id)?.conversation_id ?? move.id) : move.id);
      return;
    }
  }
}

/** Keys of the tree: arrows, Home, End, typeahead, Enter, Space, Delete (ui.md, Everyone). */
export function useTreeKeys(
  container: RefObject<HTMLDivElement | null>,
  flow: Flow | null,
  items: readonly TreeItem[],
  nodes: readonly TreeNode[],
): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 });
  const show = useEffectEvent((id: string, withFocus: boolean) => {
    const there = items.some((item) => item.id === id);
    // A run that was tried again has given its row to the next.
    showItem({ container, flow, items, nodes }, there ? id : currentOf(useLive.getState(), id), withFocus);
  });
  const selected = useUi((state) => state.node?.id ?? null);
  const ready = flow !== null;
  useEffect(() => {
    if (ready && selected !== null) show(selected, false);
  }, [selected, ready]);
  const takeFocus = useEffectEvent(() => {
    const { focused } = useTreeFocus.getState();
    const id = useUi.getState().node?.id ?? (items.some((item) => item.id === focused) ? focused : items[0]?.id);
    if (id == null) return;
    rowsGiven();
    show(id, true);
  });
  useEffect(
    () =>
      onFocusRequest('tree', () => {
        takeFocus();
      }),
    [],
  );
  const hasRows = ready && items.length > 0;
  useEffect(() => {
    if (hasRows && areRowsWanted()) takeFocus();
  }, [hasRows]);

  return (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('button, input, textarea') !== null) return;
    const place = { container, flow, items, nodes };
    const current = target.closest<HTMLElement>('[data-item]')?.dataset['item'] ?? null;
    const text = typedText(typed.current, event);
    const move = text === null ? treeMove(items, current, event.key) : null;
    if (move !== null) act(place, move);
    else if (text !== null) {
      typed.current = { text, at: event.timeStamp };
      const id = typeahead(items, nameOf, current, text);
      if (id !== null) act(place, { type: 'focus', id });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
