import { create } from 'zustand';
import type { Sort } from './sorting.ts';

interface ViewState {
  readonly sort: Sort;
  /** The list without levels. */
  readonly flat: boolean;
  /** The row that has, or would get, the keyboard. */
  readonly focused: string | null;
  /** The pointer is on the rows: they keep their order (nothing moves under the pointer). */
  readonly held: boolean;
}

/** What the views remember while the page is open. */
export const useViews = create<ViewState>(() => ({ sort: null, flat: false, focused: null, held: false }));

export function focusRow(focused: string | null): void {
  if (useViews.getState().focused !== focused) useViews.setState({ focused });
}

export function holdRows(held: boolean): void {
  if (useViews.getState().held !== held) useViews.setState({ held });
}
