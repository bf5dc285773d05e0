import { useLayoutEffect, useState, type RefObject } from 'react';

/** Width and height of an element, as they change. */
export function useBox(element: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const [box, setBox] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const node = element.current;
    if (node === null) return;
    const measure = (): void => {
      setBox({ width: node.clientWidth, height: node.clientHeight });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => {
      observer.disconnect();
    };
  }, [element]);
  return box;
}
