import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { edit } from './batch-store.ts';
import { followDrag, type Dragging } from './drag-session.ts';
import type { RowSpan } from './drop-place.ts';
import { moveTask } from './row-operations.ts';

/** How the rows are moved: stable handlers for every row, and the drag under way. */
export interface Reorder {
  readonly dragging: Dragging | null;
  readonly onGrip: (event: PointerEvent<HTMLElement>, key: string) => void;
  readonly onMoveKey: (event: KeyboardEvent<HTMLElement>, key: string, place: number) => void;
}

function move(key: string, to: number): void {
  edit((draft) => moveTask(draft, key, to));
}

/** Alt with an arrow; a select opens with these. */
function stepOfKey(event: KeyboardEvent<HTMLElement>): number {
  if (!event.altKey || (event.target instanceof HTMLElement && event.target.tagName === 'SELECT')) return 0;
  return event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
}

/** Reordering of rows by dragging their handle, and with Alt and an arrow key. `onMoved` hears the new number of a row. */
export function useReorder(
  scroll: RefObject<HTMLElement | null>,
  spans: () => readonly RowSpan[],
  onMoved: (number: number) => void,
): Reorder {
  const [dragging, setDragging] = useState<Dragging | null>(null);
  const stop = useRef<(() => void) | null>(null);
  // The handlers go to every row and must stay the same.
  const latest = useRef({ spans, onMoved });
  useEffect(() => {
    latest.current = { spans, onMoved };
  });
  useEffect(() => () => stop.current?.(), []);

  const onGrip = useCallback(
    (event: PointerEvent<HTMLElement>, key: string): void => {
      const element = scroll.current;
      const from = latest.current.spans().findIndex((span) => span.key === key);
      if (event.button !== 0 || element === null || from < 0) return;
      const onEnd = (to: number | null): void => {
        setDragging(null);
        if (to === null || to === from) return;
        move(key, to);
        latest.current.onMoved(to + 1);
      };
      setDragging({ key, from, to: from, by: 0 });
      const where = { element, key, from, y: event.clientY };
      stop.current = followDrag({ ...where, spans: () => latest.current.spans(), onDrag: setDragging, onEnd });
    },
    [scroll],
  );

  const onMoveKey = useCallback((event: KeyboardEvent<HTMLElement>, key: string, place: number): void => {
    const step = stepOfKey(event);
    if (step === 0 || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    const focused = event.target;
    const to = Math.max(0, Math.min(latest.current.spans().length - 1, place + step));
    if (to === place) return;
    flushSync(() => {
      move(key, to);
    });
    // Moving a row in the document takes the focus from it.
    focused.focus();
    focused.scrollIntoView({ block: 'nearest' });
    latest.current.onMoved(to + 1);
  }, []);

  return { dragging, onGrip, onMoveKey };
}
