import { useEffect, useEffectEvent, type RefObject } from 'react';

/** Frames in which rows of another width are measured anew, those above them after those that were in view. */
const SETTLING = 6;

const distance = (element: HTMLElement): number => element.scrollHeight - element.clientHeight - element.scrollTop;

export interface EndOptions {
  /** So many px from the end it is at the end still. */
  readonly near: number;
  /** Whether an entry was asked for, which is brought into view by others. */
  readonly sought: boolean;
  readonly toEnd: () => void;
}

/** Keeps the end in view when the place for the transcript changes: an ask opens below it, the window has another size. */
export function useEndOnResize(scroller: RefObject<HTMLDivElement | null>, options: EndOptions): void {
  const end = useEffectEvent(() => {
    options.toEnd();
    return !options.sought;
  });
  const isAtEnd = useEffectEvent((element: HTMLElement) => distance(element) <= options.near);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let first = true;
    let following = true;
    let height = element.clientHeight;
    let frames = 0;
    let frame = 0;
    const onScroll = (): void => {
      // What scrolls in another place, or while the rows find their new heights, is not the user.
      if (frames === 0 && element.clientHeight === height) following = isAtEnd(element);
    };
    const settle = (): void => {
      frames = end() ? frames - 1 : 0;
      if (frames > 0) frame = requestAnimationFrame(settle);
    };
    const resize = new ResizeObserver(() => {
      const isFirst = first;
      first = false;
      height = element.clientHeight;
      // Any smaller distance is the virtual list's own to keep.
      if (!following) return;
      cancelAnimationFrame(frame);
      // The first is not of a change: it is told when the looking begins.
      frames = isFirst ? 1 : SETTLING;
      settle();
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    resize.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      resize.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [scroller]);
}
