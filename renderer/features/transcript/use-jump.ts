import { useEffect, useEffectEvent } from 'react';
import { jumpDone, useJump } from '../../app/jump.ts';
import type { ItemList } from './items.ts';
import type { Find } from './use-find.ts';

/** Shows the place in this transcript that the search has led to: the find bar brings what has not arrived yet. */
export function useJumpHere(runId: string, list: ItemList, find: Find, open: () => void): void {
  const jump = useJump((state) => (state.jump?.run_id === runId ? state.jump : null));
  const begin = useEffectEvent(() => {
    if (jump === null) return;
    open();
    find.setQuery(jump.words);
  });
  const show = useEffectEvent(() => {
    if (jump === null) return;
    find.show(jump.entry, jump.line);
    jumpDone(jump);
  });
  useEffect(() => {
    if (jump !== null) begin();
  }, [jump]);
  const there = jump !== null && list.items.length > 0 && list.first <= jump.entry && find.query === jump.words;
  useEffect(() => {
    if (there) show();
  }, [there, jump]);
}
