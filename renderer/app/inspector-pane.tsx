import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { strings } from '../shared/strings.ts';
import { IconButton } from '../ui/button.tsx';
import { useChord } from './key-bindings.ts';
import { requestFocus, ui, useOverlay } from './ui-store.ts';
import type { InspectorPlace } from './window-size.ts';

/** Puts the inspector away. A keyboard that was in it goes back to the row that it was about. */
export function closeInspector(): void {
  const { activeElement: focused, body } = document;
  const had = focused === null || focused === body || focused.closest('.frame-inspector') !== null;
  ui.showInspector(false);
  if (had) requestFocus('tree');
}

/** While it lies over the centre Escape closes it: over all of it from anywhere, over a part of it from inside. */
function useEscape(element: { readonly current: HTMLElement | null }, place: InspectorPlace, off: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || useOverlay.getState().overlay !== null) return;
    if (place === 'drawer' || element.current?.contains(document.activeElement) === true) closeInspector();
  });
  const lies = place !== 'beside' && !off;
  useEffect(() => {
    if (!lies) return undefined;
    const listener = (event: KeyboardEvent): void => {
      onKey(event);
    };
    window.addEventListener('keydown', listener);
    return () => {
      window.removeEventListener('keydown', listener);
    };
  }, [lies]);
}

/** The right pane: beside the centre, over a part of it, or as a drawer over all of it in a narrow window. */
export function InspectorPane({
  place,
  inert,
  children,
}: {
  readonly place: InspectorPlace;
  readonly inert: boolean;
  readonly children: ReactNode;
}) {
  const element = useRef<HTMLElement>(null);
  const chord = useChord('inspector', 'mod+alt+b') ?? undefined;
  useEscape(element, place, inert);
  useEffect(() => {
    // What is under a drawer takes no keys: they are for what has just been opened.
    if (place === 'drawer' && element.current?.contains(document.activeElement) === false) element.current.focus();
  }, [place]);
  return (
    <aside
      ref={element}
      className="frame-inspector"
      aria-label={strings.frame.inspector}
      data-pane
      data-place={place}
      tabIndex={-1}
      inert={inert}
    >
      <IconButton
        icon="close"
        name={strings.frame.closeInspector}
        chord={chord}
        className="inspector-close"
        onClick={closeInspector}
      />
      {children}
    </aside>
  );
}
