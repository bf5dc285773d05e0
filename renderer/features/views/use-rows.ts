import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { useViews } from './view-state.ts';

/** The rows that are drawn: those in view, and the one that has the keyboard, wherever it is. */
export function useRows<T extends { readonly id: string }>(
  rows: readonly T[],
  scroller: RefObject<HTMLElement | null>,
  heightOf: (row: T) => number,
  /** Pixels that a head covers at the top, and something else at the foot. */
  head: number,
  foot = 0,
) {
  const focused = useViews((state) => state.focused);
  const kept = focused === null ? -1 : rows.findIndex(({ id }) => id === focused);
  const rangeExtractor = (range: Range): number[] => {
    const shown = defaultRangeExtractor(range);
    if (kept < 0 || shown.includes(kept)) return shown;
    return [...shown, kept].sort((a, b) => a - b);
  };
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called while drawing, never handed to memoised parts
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: (index) => {
      const row = rows[index];
      return row === undefined ? 0 : heightOf(row);
    },
    overscan: 8,
    scrollMargin: head,
    scrollPaddingStart: head,
    scrollPaddingEnd: foot + 8,
    rangeExtractor,
  });
}

/** Id of the row that has the keyboard or, while none of these has it, would get it: the first. */
export function useCurrent(rows: readonly { readonly id: string }[]): string | null {
  const focused = useViews((state) => state.focused);
  return rows.some(({ id }) => id === focused) ? focused : (rows[0]?.id ?? null);
}
