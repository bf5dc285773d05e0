import { create } from 'zustand';
import { NO_FILTER, type Filter } from './filter.ts';

/** Filters by conversation, the same in every view of it; a page that is loaded anew begins without. */
const useFilters = create<{ readonly filters: Readonly<Record<string, Filter>> }>(() => ({ filters: {} }));

export function setFilter(conversation: string, part: Partial<Filter>): void {
  useFilters.setState(({ filters }) => ({
    filters: { ...filters, [conversation]: { ...(filters[conversation] ?? NO_FILTER), ...part } },
  }));
}

export const useFilter = (conversation: string): Filter =>
  useFilters((state) => state.filters[conversation] ?? NO_FILTER);
