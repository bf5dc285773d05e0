import { create } from 'zustand';
import { requestFocus, ui, useUi } from './ui-store.ts';

/** Where a terminal is to be opened. */
export interface TerminalPlace {
  readonly project_id: string;
  /** The run in whose worktree it is to be; null in the project's folder. */
  readonly run_id: string | null;
}

/** A terminal that somebody asked for and the panel has not opened yet. */
export const usePanelRequest = create<{ readonly place: TerminalPlace | null }>(() => ({ place: null }));

/** Shows the bottom panel with a new terminal there. */
export function openTerminalAt(place: TerminalPlace): void {
  usePanelRequest.setState({ place });
  ui.showPanel(true);
}

/** Shows the panel with the keyboard in its terminal, or hides it; the keyboard goes back to the tree. */
export function togglePanel(): void {
  const open = !useUi.getState().panelOpen;
  ui.showPanel(open);
  requestFocus(open ? 'terminal' : 'tree');
}

/** Takes the request, so that it is carried out once. */
export function takePanelRequest(): TerminalPlace | null {
  const { place } = usePanelRequest.getState();
  if (place !== null) usePanelRequest.setState({ place: null });
  return place;
}
