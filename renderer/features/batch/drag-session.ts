import { dropPlace, type RowSpan } from './drop-place.ts';

export interface Dragging {
  readonly key: string;
  readonly from: number;
  /** The place that it would get. */
  readonly to: number;
  /** Pixels that it has been dragged down. */
  readonly by: number;
}

/** The list scrolls by itself while the pointer is this near its edge, in pixels. */
const EDGE = 40;
const STEP = 10;

export interface DragOptions {
  /** What scrolls. */
  readonly element: HTMLElement;
  readonly key: string;
  readonly from: number;
  /** Where the pointer took hold, in pixels of the window. */
  readonly y: number;
  readonly spans: () => readonly RowSpan[];
  readonly onDrag: (dragging: Dragging) => void;
  /** The place that the row was let go at; null when it was called off. */
  readonly onEnd: (to: number | null) => void;
}

const stepAt = (y: number, box: DOMRect): number => (y < box.top + EDGE ? -STEP : y > box.bottom - EDGE ? STEP : 0);

/** Follows the pointer from the press on a handle to its release; Escape calls it off. The answer ends it. */
export function followDrag({ element, key, from, y: startY, spans, onDrag, onEnd }: DragOptions): () => void {
  const startScroll = element.scrollTop;
  const listening = new AbortController();
  let y = startY;
  let frame = 0;
  const now = (): Dragging => {
    const by = y - startY + element.scrollTop - startScroll;
    return { key, from, to: dropPlace(spans(), from, by), by };
  };
  const stop = (): void => {
    listening.abort();
    cancelAnimationFrame(frame);
  };
  const end = (to: number | null): void => {
    stop();
    onEnd(to);
  };
  const scrollAtEdge = (): void => {
    const step = stepAt(y, element.getBoundingClientRect());
    if (step !== 0) {
      element.scrollTop += step;
      onDrag(now());
    }
    frame = requestAnimationFrame(scrollAtEdge);
  };
  frame = requestAnimationFrame(scrollAtEdge);
  const { signal } = listening;
  const onMove = (event: PointerEvent): void => {
    y = event.clientY;
    onDrag(now());
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end(null);
  };
  window.addEventListener('pointermove', onMove, { signal });
  window.addEventListener('pointerup', () => end(now().to), { signal });
  window.addEventListener('pointercancel', () => end(null), { signal });
  window.addEventListener('keydown', onKey, { signal, capture: true });
  return stop;
}
