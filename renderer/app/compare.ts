import { create } from 'zustand';
import { openOverlay } from './ui-store.ts';

/** The first of two runs that are to be compared, while the second is looked for. */
export const useCompare = create<{ readonly first: string | null }>(() => ({ first: null }));

/** Takes a run for comparing: the first waits for the second, two are shown side by side. The same one again is let go. */
export function pickForCompare(id: string): void {
  const { first } = useCompare.getState();
  if (first === null || first === id) {
    useCompare.setState({ first: first === null ? id : null });
    return;
  }
  useCompare.setState({ first: null });
  openOverlay({ type: 'compare', a: first, b: id });
}

export function cancelCompare(): void {
  useCompare.setState({ first: null });
}
