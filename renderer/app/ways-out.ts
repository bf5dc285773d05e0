import { useEffect } from 'react';
import { closeOverlay, useOverlay, useUi, type Overlay } from './ui-store.ts';

/** Escape closes a pane, wherever the focus is; so does opening something else. Nearer uses of the key come first. */
export function useWaysOut(type: Overlay['type']): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      // What lies over it closes first, by itself.
      if (useOverlay.getState().overlay?.type !== type) return;
      event.preventDefault();
      closeOverlay();
    };
    window.addEventListener('keydown', onKeyDown);
    const unsubscribe = useUi.subscribe((now, before) => {
      if (now.conversation !== before.conversation || now.node !== before.node) closeOverlay();
    });
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      unsubscribe();
    };
  }, [type]);
}
