import { create } from 'zustand';
import type { BatchProblem } from '../../../core/protocol/errors.ts';
import { loadDraft, saveDraft, type KeptDraft } from './draft-storage.ts';
import { append, EMPTY_DRAFT, isEmpty, toBatch, type Draft } from './draft.ts';
import { NO_PROBLEMS, type Problems } from './problems.ts';
import { joined, MOST_ASIDE, putAside, without, type PutAside } from './put-aside.ts';
import { addTask } from './row-operations.ts';

/** Why a text gave no tasks. */
export interface ReadFailure {
  readonly name: string;
  readonly message: string;
  readonly fix: string;
}

interface BatchState {
  readonly open: boolean;
  readonly project: string | null;
  /** Null begins a new conversation. */
  readonly conversation: string | null;
  /** The set that the tasks are added to (S8); null makes a set of their own. */
  readonly into: string | null;
  readonly draft: Draft;
  /** Drafts that made way for this one, the newest first. */
  readonly aside: readonly PutAside[];
  readonly undo: { readonly words: string; readonly draft: Draft; readonly aside: readonly PutAside[] } | null;
  /** A row that was there when the editor was opened, and that nobody has written in: it is not told what it lacks. */
  readonly untouched: string | null;
  /** The row that was last in use. */
  readonly active: string | null;
  readonly problems: Problems;
  readonly checking: boolean;
  readonly checkFailure: string | null;
  readonly readFailures: readonly ReadFailure[];
  /** Texts that are being read. */
  readonly reading: number;
  readonly starting: boolean;
  /** Of the dispatch to come: the same until the batch changes, so that a second press makes no second set (S7). */
  readonly token: string | null;
  /** When the draft was kept, epoch ms; `too_large` when it could not be. */
  readonly saved: number | 'too_large' | null;
}

const CLOSED = {
  open: false,
  undo: null,
  active: null,
  untouched: null,
  problems: NO_PROBLEMS,
  checking: false,
  checkFailure: null,
  readFailures: [],
  reading: 0,
  starting: false,
  token: null,
  saved: null,
} satisfies Partial<BatchState>;

/** The batch editor: one draft a project. */
export const useBatch = create<BatchState>(() => ({
  ...CLOSED,
  project: null,
  conversation: null,
  into: null,
  draft: EMPTY_DRAFT,
  aside: [],
}));

const { setState: set, getState: get } = useBatch;

/** A draft is written when typing pauses for this long. */
const SAVE_AFTER_MS = 400;
let timer: ReturnType<typeof setTimeout> | null = null;

/** Tasks for a set that is at work are another draft than those of a set to come. */
const placeOfDraft = ({ project, into }: Pick<BatchState, 'project' | 'into'>): string | null =>
  into === null ? project : `set:${into}`;

/** Writes the draft down now. */
export function keepDraftNow(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const { draft, aside } = get();
  const nothing = isEmpty(draft) && aside.length === 0;
  const kept = saveDraft(localStorage, placeOfDraft(get()), nothing ? null : { draft, aside });
  set({ saved: nothing ? null : kept ? Date.now() : 'too_large' });
}

function keepSoon(): void {
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(keepDraftNow, SAVE_AFTER_MS);
}

/** Changes the draft. With `words` it can be taken back by them, until the next change: taking it back would lose that. */
export function edit(change: (draft: Draft) => Draft, words: string | null = null): void {
  const { draft, aside } = get();
  const next = change(draft);
  if (next === draft) return;
  const { untouched } = get();
  const isTouched = rowOf(next, untouched) !== rowOf(draft, untouched) || next.rows.length !== draft.rows.length;
  set({
    draft: next,
    token: null,
    undo: words === null ? null : { words, draft, aside },
    ...(isTouched ? { untouched: null } : {}),
  });
  keepSoon();
}

const rowOf = (draft: Draft, key: string | null) => draft.rows.find((row) => row.key === key);

/** From now on every row says what it lacks. */
export const touch = (): void => {
  if (get().untouched !== null) set({ untouched: null });
};

/** Takes the last change of rows, or of what is put aside, back. */
export function undoEdit(): void {
  const { undo } = get();
  if (undo === null) return;
  set({ draft: undo.draft, aside: undo.aside, undo: null, token: null });
  keepSoon();
}

/** Key of the first row while nothing is written in it. */
function blankFirst(draft: Draft): string | null {
  const [first] = draft.rows;
  return first !== undefined && isEmpty({ ...draft, rows: [first] }) ? first.key : null;
}

/** The draft of a place. A `fresh` one puts a draft with tasks aside, while there is room for it. */
function beginning(place: string | null, fresh: boolean): KeptDraft {
  const kept = loadDraft(localStorage, place);
  if (kept === null) return { draft: EMPTY_DRAFT, aside: [] };
  if (!fresh || isEmpty(kept.draft) || kept.aside.length >= MOST_ASIDE) return kept;
  return { draft: EMPTY_DRAFT, aside: putAside(kept.aside, kept.draft, Date.now()) };
}

/**
 * Opens the editor at a project and conversation, with the project's draft, or a `fresh` one. With `into` the tasks are
 * for that set.
 */
export function openEditor(
  project: string | null,
  conversation: string | null,
  fresh: boolean,
  into: string | null = null,
): void {
  const state = get();
  if (state.open && state.project === project && state.into === into) {
    set({ conversation });
    return;
  }
  if (state.open) keepDraftNow();
  const { draft: before, aside } = beginning(placeOfDraft({ project, into }), fresh);
  const draft = before.rows.length === 0 && !fresh ? addTask(before) : before;
  set({
    ...CLOSED,
    open: true,
    project,
    conversation,
    into,
    draft,
    untouched: blankFirst(draft),
    aside,
  });
}

/** Closes the editor; the draft stays. */
export function closeEditor(): void {
  if (!get().open) return;
  keepDraftNow();
  set(CLOSED);
}

/** The batch is on its way: nothing of it is a draft any more. */
export function forgetDraft(): void {
  set({ draft: EMPTY_DRAFT });
  keepDraftNow();
  set(CLOSED);
}

/** What is put aside at a place, with its draft. */
function allAt(project: string | null): readonly PutAside[] {
  const there = loadDraft(localStorage, project);
  return there === null ? [] : putAside(there.aside, there.draft, Date.now());
}

/** The set has ended meanwhile: the tasks become a set of their own. A draft of the project that is there already is put aside. */
export function leaveSet(): void {
  const { into, project, aside } = get();
  if (into === null) return;
  saveDraft(localStorage, `set:${into}`, null);
  set({ into: null, token: null, undo: null, aside: joined(aside, allAt(project)) });
  keepDraftNow();
}

/** Moves the draft to another project. What was put aside stays with the project that it was written for. */
export function moveToProject(project: string): void {
  const { project: before, aside } = get();
  if (before === project) return;
  saveDraft(localStorage, before, aside.length === 0 ? null : { draft: EMPTY_DRAFT, aside });
  set({ project, conversation: null, aside: allAt(project), undo: null, token: null });
  keepDraftNow();
}

const asideOf = (key: number): PutAside | undefined => get().aside.find((one) => one.key === key);

/** Goes on with a draft that was put aside; the one that is open makes way for it. */
export function openAside(key: number): void {
  const { draft, aside } = get();
  const taken = asideOf(key);
  if (taken === undefined) return;
  set({
    draft: taken.draft,
    aside: putAside(without(aside, key), draft, Date.now()),
    undo: null,
    token: null,
    untouched: null,
    active: null,
    problems: NO_PROBLEMS,
  });
  keepSoon();
}

/** Adds the tasks of a draft that was put aside to the open one. By `words` it can be taken back. */
export function addAside(key: number, words: string): void {
  const taken = asideOf(key)?.draft;
  if (taken === undefined) return;
  const { title, skipped, sources } = taken;
  edit((draft) => {
    const both = append(draft, { batch: toBatch(taken), title, skipped }, null);
    return { ...both, sources: [...new Set([...both.sources, ...sources])] };
  }, words);
  set(({ aside }) => ({ aside: without(aside, key) }));
}

/** Deletes a draft that was put aside. By `words` it can be taken back. */
export function deleteAside(key: number, words: string): void {
  const { draft, aside } = get();
  set({ aside: without(aside, key), undo: { words, draft, aside } });
  keepSoon();
}

export const setActive = (active: string | null): void => {
  if (get().active !== active) set({ active });
};

/** What the core found wrong, or that it could not be asked. */
export function setProblems(problems: Problems, checkFailure: string | null = null): void {
  set({ problems, checkFailure, checking: false });
}

export const setChecking = (): void => {
  set({ checking: true });
};

export function addReadFailure(name: string, problem: Pick<BatchProblem, 'message' | 'fix'>): void {
  set(({ readFailures }) => ({
    readFailures: [...readFailures.slice(-3), { name, message: problem.message, fix: problem.fix }],
  }));
}

export const dropReadFailures = (): void => {
  set({ readFailures: [] });
};

/** Counts the texts being read: `1` when one begins, `-1` when it is done. */
export const countReading = (by: 1 | -1): void => {
  set(({ reading }) => ({ reading: Math.max(0, reading + by) }));
};

export const setStarting = (starting: boolean): void => {
  set({ starting });
};

/** The token of the dispatch to come; `make` gives a new one when the batch has changed. */
export function dispatchToken(make: () => string): string {
  const token = get().token ?? make();
  set({ token });
  return token;
}
