/** What the page knows and the core does not: selection, drafts, layout. Plain data, kept in localStorage. */
export interface UiState {
  readonly conversation: string | null;
  /** The node shown in the inspector: a run, set or lead. */
  readonly node: Node | null;
  /** The tab of the inspector that was chosen for a run; one that has none begins with its transcript. */
  readonly tabs: Readonly<Record<string, string>>;
  readonly sidebarOpen: boolean;
  readonly inspectorOpen: boolean;
  /** The bottom panel with the terminals, and the height in px that it was given; null follows the window. */
  readonly panelOpen: boolean;
  readonly panelHeight: number | null;
  /** How a diff is shown; side by side it has a wide inspector. */
  readonly diffView: 'inline' | 'split';
  readonly theme: 'system' | 'dark' | 'light';
  /** How each conversation is looked at; the tree unless it says so. */
  readonly views: Readonly<Record<string, View>>;
  readonly contrast: 'system' | 'normal' | 'high';
  readonly motion: 'system' | 'reduced';
  readonly textSize: 'small' | 'normal' | 'large';
  /** Ids of folded set cards, and of runs whose sets are folded in the other views. */
  readonly folded: readonly string[];
  /** Ids of the projects whose conversations the sidebar lists. */
  readonly openProjects: readonly string[];
  /** Unsent text by place: `steer:<run id>`, `lead:<conversation id>`, `new:<project id>`, `batch`. */
  readonly drafts: Readonly<Record<string, string>>;
  /** The project that a new conversation begins in. */
  readonly project: string | null;
}

/** The ways to look at a conversation. */
export const VIEWS = ['tree', 'list', 'board', 'timeline'] as const;
export type View = (typeof VIEWS)[number];

export type Node = { readonly type: 'run'; readonly id: string } | { readonly type: 'set'; readonly id: string };

export const FIRST_UI: UiState = {
  conversation: null,
  node: null,
  tabs: {},
  sidebarOpen: true,
  inspectorOpen: true,
  panelOpen: false,
  panelHeight: null,
  diffView: 'inline',
  theme: 'system',
  views: {},
  contrast: 'system',
  motion: 'system',
  textSize: 'normal',
  folded: [],
  openProjects: [],
  drafts: {},
  project: null,
};

const toggled = (list: readonly string[], id: string): readonly string[] =>
  list.includes(id) ? list.filter((item) => item !== id) : [...list, id];

/** Opens a conversation; the node of another is let go. */
export function openConversation(state: UiState, conversation: string | null): UiState {
  return conversation === state.conversation ? state : { ...state, conversation, node: null };
}

/** Begins a new conversation in a project: the home screen with its composer. */
export function beginIn(state: UiState, project: string | null): UiState {
  return { ...state, conversation: null, node: null, project: project ?? state.project };
}

/** Selects a node, and shows it. */
export function selectNode(state: UiState, node: Node | null): UiState {
  if (node !== null && node.id === state.node?.id && state.inspectorOpen) return state;
  return { ...state, node, inspectorOpen: node === null ? state.inspectorOpen : true };
}

/** So many runs keep the tab that was chosen for them; the earliest choice is forgotten first. */
const TABS = 200;
export const FIRST_TAB = 'transcript';

/** Chooses a tab for a run; no other run changes its own. */
export function chooseTab(state: UiState, runId: string, tab: string): UiState {
  const { [runId]: _before, ...others } = state.tabs;
  return { ...state, tabs: Object.fromEntries([...Object.entries(others), [runId, tab]].slice(-TABS)) };
}

/** The tab that the selected run shows; null without one. */
export function shownTab({ node, tabs }: Pick<UiState, 'node' | 'tabs'>): string | null {
  return node?.type === 'run' ? (tabs[node.id] ?? FIRST_TAB) : null;
}

/** Looks at a conversation in another way. The tree is what is not written down. */
export function showView(state: UiState, conversation: string, view: View): UiState {
  const { [conversation]: _before, ...others } = state.views;
  return { ...state, views: view === 'tree' ? others : { ...others, [conversation]: view } };
}

/** The least and the most height of the bottom panel, px; the window may leave it less. */
export const PANEL = { least: 96, most: 900 } as const;

/** The height of the bottom panel in a window of this height, px: as it was set, else about a quarter, so that a view above it keeps its rows. */
export function panelHeight({ panelHeight: set }: Pick<UiState, 'panelHeight'>, windowHeight: number): number {
  return set ?? Math.round(Math.min(320, Math.max(144, windowHeight * 0.26)));
}

/** Sets the height of the bottom panel, within its bounds. */
export function resizePanel(state: UiState, height: number): UiState {
  return { ...state, panelHeight: Math.round(Math.min(PANEL.most, Math.max(PANEL.least, height))) };
}

/** Adds a paragraph to the unsent text of a place. */
export function addToDraft(state: UiState, place: string, text: string): UiState {
  const before = (state.drafts[place] ?? '').trimEnd();
  return keepDraft(state, place, before === '' ? text : `${before}\n\n${text}`);
}

/** Keeps an unsent text; an empty one is forgotten. */
export function keepDraft(state: UiState, place: string, text: string): UiState {
  const { [place]: _before, ...others } = state.drafts;
  return { ...state, drafts: text === '' ? others : { ...others, [place]: text } };
}

export function foldSet(state: UiState, id: string): UiState {
  return { ...state, folded: toggled(state.folded, id) };
}

export function toggleProject(state: UiState, id: string): UiState {
  return { ...state, openProjects: toggled(state.openProjects, id) };
}
