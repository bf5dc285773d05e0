import { useState, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { panelHeight } from './ui-state.ts';
import { ui, useUi } from './ui-store.ts';

/** Below the 1440 px of the reference: narrower cards and inspector, so that a nested set stands beside its row. */
const COMPACT = '(max-width: 1439px)';
/** 200 % zoom of a small window: the sidebar lies over the page, and only while it is asked for. */
const NARROW = '(max-width: 760px)';
/** Here the inspector lies over the right part of the centre; in a narrow window over all of it. */
const LYING = '(max-width: 1100px)';

function useMedia(text: string): boolean {
  const [query] = useState(() => window.matchMedia(text));
  const [subscribe] = useState(() => (changed: () => void) => {
    query.addEventListener('change', changed);
    return () => {
      query.removeEventListener('change', changed);
    };
  });
  return useSyncExternalStore(subscribe, () => query.matches);
}

const onResize = (changed: () => void) => {
  window.addEventListener('resize', changed);
  return () => {
    window.removeEventListener('resize', changed);
  };
};

/** The height of the bottom panel, px. One that nobody has set follows the window. */
export function usePanelHeight(): number {
  const windowHeight = useSyncExternalStore(onResize, () => window.innerHeight);
  return useUi((state) => panelHeight(state, windowHeight));
}

/** How much room the window has beside what the layout was drawn for. Never depends on what is open: nothing jumps. */
export function useRoom(): 'normal' | 'compact' | 'narrow' {
  const compact = useMedia(COMPACT);
  const narrow = useMedia(NARROW);
  if (narrow) return 'narrow';
  return compact ? 'compact' : 'normal';
}

/** Whether the sidebar of a narrow window is shown; it is never kept. */
const useDrawer = create<{ readonly open: boolean }>(() => ({ open: false }));

/** Puts the sidebar of a narrow window away; does nothing in a wide one. */
export function closeDrawer(): void {
  useDrawer.setState({ open: false });
}

/** Shows or hides the sidebar. */
export function toggleSidebar(): void {
  if (window.matchMedia(NARROW).matches) useDrawer.setState(({ open }) => ({ open: !open }));
  else ui.toggleSidebar();
}

/** How the sidebar stands: beside the page, over it, or not at all. */
export function useSidebar(): 'beside' | 'over' | null {
  const narrow = useMedia(NARROW);
  const drawer = useDrawer((state) => state.open);
  const open = useUi((state) => state.sidebarOpen);
  if (narrow) return drawer ? 'over' : null;
  return open ? 'beside' : null;
}

/** How the inspector stands: beside the centre, over its right part, or as a drawer over all of it. */
export type InspectorPlace = 'beside' | 'over' | 'drawer';

export function useInspectorPlace(): InspectorPlace {
  const narrow = useMedia(NARROW);
  const lying = useMedia(LYING);
  if (narrow) return 'drawer';
  return lying ? 'over' : 'beside';
}

/** Opens the conversation of work that has just begun, with its set in the inspector where that leaves the work in view. */
export function showBegun({
  conversation_id,
  delegation_id,
}: {
  readonly conversation_id: string;
  readonly delegation_id: string;
}): void {
  ui.openConversation(conversation_id);
  if (window.matchMedia(NARROW).matches) ui.clearSelection();
  else ui.selectSet(delegation_id);
}

/** Opens the conversation of a lead; while nothing but the lead is in it, with its transcript where that stands beside the tree. */
export function showLead(conversation_id: string, leadId: string | null): void {
  ui.openConversation(conversation_id);
  if (leadId !== null && useUi.getState().node === null && !window.matchMedia(LYING).matches) ui.selectRun(leadId);
}
