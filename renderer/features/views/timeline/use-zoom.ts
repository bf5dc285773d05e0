import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';
import { useCanvasView } from '../../../app/canvas-view.ts';
import { useCommand } from '../../../app/commands.ts';
import { strings } from '../../../shared/strings.ts';
import { fittingScale, TimeScale, zoomed } from './time-scale.ts';
import { useTimelineState } from './timeline-state.ts';
import type { TimelineData } from './use-timeline.ts';

/** Width of the labels, as in `timeline.css`. */
export const LABEL_PX = 296;
/** Room right of the last moment. */
export const END_PX = 24;

const STEP = 1.5;
/** The axis of a timeline in a box of this width: all of it, or as far as one has zoomed. */
export function scaleFor(
  { from, to, gaps }: Pick<TimelineData, 'from' | 'to' | 'gaps'>,
  width: number,
  pxPerMs: number | null,
) {
  const fit = fittingScale(from, to, gaps, Math.max(200, width - LABEL_PX - END_PX));
  return { fit, scale: new TimeScale(from, to, gaps, Math.max(fit, pxPerMs ?? fit)) };
}

interface Anchor {
  readonly time: number;
  /** Pixels from the left edge of the axis in view. */
  readonly x: number;
}

/** Zooms around a place that stays where it is; without one, around the middle of what is in view. */
export function useZoom(scroller: RefObject<HTMLElement | null>, scale: TimeScale, fit: number) {
  const anchor = useRef<Anchor | null>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const kept = anchor.current;
    anchor.current = null;
    if (kept !== null) element.scrollTo({ left: scale.x(kept.time) - kept.x });
    // What goes on at the right edge stays in view while it grows.
    else if (atEnd.current) element.scrollTo({ left: element.scrollWidth });
  }, [scroller, scale]);

  const zoom = (factor: number, x?: number): void => {
    const element = scroller.current;
    if (element === null) return;
    const middle = (element.clientWidth - LABEL_PX) / 2;
    const at = x ?? middle;
    anchor.current = { time: scale.time(element.scrollLeft + at), x: at };
    atEnd.current = false;
    useTimelineState.setState({ pxPerMs: zoomed(scale.pxPerMs, factor, fit) });
  };
  const zoomIn = (): void => {
    zoom(STEP);
  };
  const zoomOut = (): void => {
    zoom(1 / STEP);
  };
  const fitAll = (): void => {
    useTimelineState.setState({ pxPerMs: null });
  };
  const onScroll = (): void => {
    const element = scroller.current;
    if (element !== null) atEnd.current = element.scrollLeft + element.clientWidth >= element.scrollWidth - 4;
  };
  useWheelZoom(scroller, zoom);
  useCommand({ id: 'fit', title: strings.frame.fit, chord: '0', run: fitAll });
  useCommand({ id: 'zoom-in', title: strings.frame.zoomIn, chord: null, run: zoomIn });
  useCommand({ id: 'zoom-out', title: strings.frame.zoomOut, chord: null, run: zoomOut });
  useStripZoom(scale.pxPerMs / fit, fitAll);
  return { zoom, zoomIn, zoomOut, onScroll };
}

/** Ctrl and the wheel, or a pinch, zoom around the pointer. The listener must not be passive, so that the page does not zoom too. */
function useWheelZoom(scroller: RefObject<HTMLElement | null>, zoom: (factor: number, x: number) => void): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const left = scroller.current?.getBoundingClientRect().left ?? 0;
    zoom(Math.exp(-event.deltaY / 240), Math.max(0, event.clientX - left - LABEL_PX));
  });
  useEffect(() => {
    const element = scroller.current;
    const listener = (event: WheelEvent): void => {
      onWheel(event);
    };
    element?.addEventListener('wheel', listener, { passive: false });
    return () => {
      element?.removeEventListener('wheel', listener);
    };
  }, [scroller]);
}

/** Tells the strip how far the timeline is zoomed, and how to fit it. */
function useStripZoom(zoom: number, fitAll: () => void): void {
  const fit = useEffectEvent(fitAll);
  useEffect(() => {
    useCanvasView.setState({
      zoom,
      fit: () => {
        fit();
      },
    });
  }, [zoom]);
  useEffect(
    () => () => {
      useCanvasView.setState({ zoom: null });
    },
    [],
  );
}
