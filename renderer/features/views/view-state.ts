import { create } from 'zustand';
import { NO_FILTER, type Filter } from './filter.ts';
import type { Sort } from './sorting.ts';

interface ViewState {
  /** Filters by conversation; a page that is loaded anew begins without. */
  readonly filters: Readonly<Record<string, Filter>>;
  readonly sort: Sort;
  /** The list without levels. */
  readonly flat: boolean;
  /** The row that has, or would get, the keyboard. */
  readonly focused: string | null;
  /** The pointer is on the rows: they keep their order (nothing moves under the pointer). */
  readonly held: boolean;
}

/** What the views remember while the page is open. */
export const useViews = create<ViewState>(() => ({ filters: {}, sort: null, flat: false, focused: null, held: false }));

export function setFilter(conversation: string, part: Partial<Filter>): void {
  useViews.setState(({ filters }) => ({
    filters: { ...filters, [conversation]: { ...(filters[conversation] ?? NO_FILTER), ...part } },
  }));
}

export const useFilter = (conversation: string): Filter =>
  useViews((state) => state.filters[conversation] ?? NO_FILTER);

export function focusRow(focused: string | null): void {
  if (useViews.getState().focused !== focused) useViews.setState({ focused });
}

export function holdRows(held: boolean): void {
  if (useViews.getState().held !== held) useViews.setState({ held });
}
