import { create } from 'zustand';

/** What the strip says of the selected node, while a view has more to say than the node's row; the view sets it. */
export const useStripNote = create<{ readonly note: string | null }>(() => ({ note: null }));
