import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { bridge } from '../shared/bridge.ts';
import {
  addToDraft,
  beginIn,
  chooseTab,
  FIRST_UI,
  toggleProject,
  foldSet,
  keepDraft,
  openConversation,
  resizePanel,
  selectNode,
  showView,
  type Node,
  type UiState,
  type View,
} from './ui-state.ts';

/** The page's own state; survives a reload. */
export const useUi = create<UiState>()(persist(() => FIRST_UI, { name: 'espalier', version: 1 }));

const change = (transition: (state: UiState) => UiState): void => {
  useUi.setState(transition);
};

/** Goes somewhere; a pane over it makes way, also when that is where one was. */
const goTo = (transition: (state: UiState) => UiState): void => {
  change(transition);
  useOverlay.setState((state) => (isPane(state.overlay) ? { overlay: null, under: null } : state));
};

/** What people do to the page; each is one pure transition of `ui-state.ts`. */
export const ui = {
  openConversation: (id: string | null) => {
    goTo((state) => openConversation(state, id));
  },
  beginIn: (project: string | null) => {
    goTo((state) => beginIn(state, project));
  },
  selectRun: (id: string) => {
    change((state) => selectNode(state, { type: 'run', id }));
  },
  selectSet: (id: string) => {
    change((state) => selectNode(state, { type: 'set', id }));
  },
  clearSelection: () => {
    change((state) => selectNode(state, null));
  },
  /** Opens a run in its conversation, with a tab of the inspector. */
  reveal: (conversation: string, runId: string, inspectorTab = 'transcript') => {
    goTo((state) =>
      chooseTab(selectNode(openConversation(state, conversation), { type: 'run', id: runId }), runId, inspectorTab),
    );
  },
  showTab: (runId: string, tab: string) => {
    change((state) => ({ ...chooseTab(state, runId, tab), inspectorOpen: true }));
  },
  toggleSidebar: () => {
    change((state) => ({ ...state, sidebarOpen: !state.sidebarOpen }));
  },
  showInspector: (inspectorOpen: boolean) => {
    change((state) => ({ ...state, inspectorOpen }));
  },
  showPanel: (panelOpen: boolean) => {
    change((state) => ({ ...state, panelOpen }));
  },
  resizePanel: (height: number) => {
    change((state) => resizePanel(state, height));
  },
  setDiffView: (diffView: UiState['diffView']) => {
    change((state) => ({ ...state, diffView }));
  },
  addToDraft: (place: string, text: string) => {
    change((state) => addToDraft(state, place, text));
  },
  setTheme: (theme: UiState['theme']) => {
    change((state) => ({ ...state, theme }));
  },
  showView: (conversation: string, view: View) => {
    change((state) => showView(state, conversation, view));
  },
  setLook: (look: Partial<Pick<UiState, 'contrast' | 'motion' | 'textSize'>>) => {
    change((state) => ({ ...state, ...look }));
  },
  foldSet: (id: string) => {
    change((state) => foldSet(state, id));
  },
  toggleProject: (id: string) => {
    change((state) => toggleProject(state, id));
  },
  keepDraft: (place: string, text: string) => {
    change((state) => keepDraft(state, place, text));
  },
} as const;

export const useSelected = (): Node | null => useUi((state) => state.node);
/** How a conversation is looked at. */
export const useView = (conversation: string): View => useUi((state) => state.views[conversation] ?? 'tree');
/** Whether this run or set is the selected node. */
export const useIsSelected = (id: string): boolean => useUi((state) => state.node?.id === id);
/** The draft of a place: `steer:<run id>`, `lead:<conversation id>`, `new:<project id>`, `batch`. */
export const useDraft = (place: string): string => useUi((state) => state.drafts[place] ?? '');

/** What lies over the frame; never kept. */
export type Overlay =
  | { readonly type: 'palette' }
  /** The search over everything, which begins with `text`. */
  | { readonly type: 'search'; readonly text: string }
  | { readonly type: 'shortcuts' }
  /** The settings, at a section and perhaps one setting of it; without one where they were last. */
  | { readonly type: 'settings'; readonly section?: string; readonly item?: string }
  /** A run that has ended is tried again, perhaps with another goal, agent or model. */
  | { readonly type: 'retry'; readonly run_id: string }
  /** Open permissions and questions; `ask_id` is the one to begin with. */
  | { readonly type: 'inbox'; readonly ask_id: string | null }
  /** The editor of a batch; `conversation_id: null` begins a new conversation in the project. */
  | {
      readonly type: 'batch';
      readonly project_id: string | null;
      readonly conversation_id: string | null;
      /** The set that the tasks are added to (S8); without one they are a set of their own. */
      readonly delegation_id?: string;
      /** Where the user is: in the editor that is open, else in the open conversation; the two ids do not count. */
      readonly here?: boolean;
      readonly text: string;
      readonly name: string | null;
    }
  /** The batches that are kept under a name. */
  | { readonly type: 'templates' }
  /** What was used, by day and project. */
  | { readonly type: 'usage' }
  /** A batch that is to be kept under a name; `name` is what it begins with. */
  | { readonly type: 'save-template'; readonly batch: unknown; readonly name: string }
  /** A run or set that another agent is to look at; `what` says which. */
  | { readonly type: 'review'; readonly id: string; readonly what: string }
  /** The core's own folder chooser; `name` is a dropped folder's. */
  | { readonly type: 'folder'; readonly name: string | null }
  /** Whether what a project brings may hold. */
  | { readonly type: 'trust'; readonly project_id: string }
  /** Two runs side by side. */
  | { readonly type: 'compare'; readonly a: string; readonly b: string }
  | {
      readonly type: 'confirm';
      readonly title: string;
      readonly text: string;
      readonly action: string;
      readonly onConfirm: () => void;
    };

/** An overlay as large as the centre, which somebody works in. */
type Pane = Extract<Overlay, { type: 'settings' | 'inbox' }>;

interface OverlayState {
  /** The topmost. */
  readonly overlay: Overlay | null;
  /** What the shortcuts are looked at from: it stays under them, and is there again when they close. */
  readonly under: Pane | null;
}

export const useOverlay = create<OverlayState>(() => ({ overlay: null, under: null }));

const isPane = (overlay: Overlay | null): overlay is Pane => overlay?.type === 'settings' || overlay?.type === 'inbox';

export function openOverlay(overlay: Overlay): void {
  useOverlay.setState((before) => ({
    overlay,
    under: overlay.type !== 'shortcuts' ? null : isPane(before.overlay) ? before.overlay : before.under,
  }));
}

/** Closes the topmost overlay. */
export function closeOverlay(): void {
  useOverlay.setState(({ under }) => ({ overlay: under, under: null }));
}

/** The pane of this type, while it is open: on top, or under the shortcuts. */
export function usePane<T extends Pane['type']>(type: T): Extract<Pane, { type: T }> | null {
  return useOverlay(({ overlay, under }) => {
    const found = [overlay, under].find((one) => one?.type === type);
    return (found as Extract<Pane, { type: T }> | null | undefined) ?? null;
  });
}

/** Closes an overlay whose work has come to its end, unless the user has opened another one meanwhile. */
export function closeOverlayOf(type: Overlay['type']): void {
  if (useOverlay.getState().overlay?.type === type) closeOverlay();
}

/** Lets the user attach a project: the system's dialog on the desktop, the core's chooser in a browser. */
export function chooseProject(add: (path: string) => void): void {
  const choose = bridge()?.chooseFolder;
  if (choose === undefined) {
    openOverlay({ type: 'folder', name: null });
    return;
  }
  void choose().then((path) => {
    if (path !== null) add(path);
  });
}

/** Asks a place to take the keyboard: the steer box (`steer`), the lead's composer (`composer`), the sidebar's `search`. */
export type FocusPlace = 'steer' | 'composer' | 'search' | 'tree' | 'terminal';

const focusRequests = new EventTarget();
/** The rows of a view are wanted that has them only once it is drawn and was told of them. */
let rowsWanted = false;

/** They are not, once the user has gone elsewhere. An arrow was meant for them. */
function onElsewhere(event: Event): void {
  if (!(event instanceof KeyboardEvent && event.key.startsWith('Arrow'))) rowsGiven();
}

/** Gives the keyboard to the current row of the view that is about to be there. */
export function requestRows(): void {
  rowsWanted = true;
  window.addEventListener('keydown', onElsewhere, true);
  window.addEventListener('pointerdown', onElsewhere, true);
  requestFocus('tree');
}

/** Whether the first rows that a view has are to take the keyboard. */
export const areRowsWanted = (): boolean => rowsWanted;

/** The rows have the keyboard, or need it no more. */
export function rowsGiven(): void {
  rowsWanted = false;
  window.removeEventListener('keydown', onElsewhere, true);
  window.removeEventListener('pointerdown', onElsewhere, true);
}

export function requestFocus(place: FocusPlace): void {
  // The place may only be drawn because of what was just selected.
  requestAnimationFrame(() => {
    focusRequests.dispatchEvent(new Event(place));
  });
}

/** Hears a request of {@link requestFocus}; answers how to stop hearing. */
export function onFocusRequest(place: FocusPlace, listener: () => void): () => void {
  focusRequests.addEventListener(place, listener);
  return () => {
    focusRequests.removeEventListener(place, listener);
  };
}
