import { create } from 'zustand';

/**
 * What lies over the page: the batch editor, the inbox and the settings over centre and inspector, the first start over everything. What is under it
 * takes neither focus nor clicks.
 */
export const useCover = create<{ readonly by: 'batch' | 'first' | 'inbox' | 'settings' | null }>(() => ({ by: null }));

/** Covers the page; the answer lifts the cover, if it is still this one. */
export function cover(by: 'batch' | 'first' | 'inbox' | 'settings'): () => void {
  useCover.setState({ by });
  return () => {
    useCover.setState((state) => (state.by === by ? { by: null } : state));
  };
}
