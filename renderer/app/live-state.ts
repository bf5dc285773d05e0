import type { Entry, EntryMeta } from '../../core/protocol/entry.ts';
import type { Change, FeedMessage, Scope, Snapshot } from '../../core/protocol/feed.ts';
import type {
  AppRow,
  AskRow,
  ConversationRow,
  ProjectRow,
  RunRow,
  SetRow,
  SteerRow,
} from '../../core/protocol/rows.ts';

/** Entries are held in pages, so that a delta copies one page and not a transcript of 100,000. */
export const PAGE = 128;

type Page = readonly (Entry | undefined)[];

/** A transcript as far as it has arrived: absent pages and entries have not been asked for. */
export interface Transcript {
  readonly count: number;
  readonly pages: readonly (Page | undefined)[];
}

/** Everything the core has told us, by id. */
export interface LiveState {
  readonly boot: string | null;
  readonly subscription: string | null;
  readonly rev: number;
  readonly app: AppRow | null;
  readonly projects: ReadonlyMap<string, ProjectRow>;
  readonly conversations: ReadonlyMap<string, ConversationRow>;
  readonly sets: ReadonlyMap<string, SetRow>;
  readonly runs: ReadonlyMap<string, RunRow>;
  readonly asks: ReadonlyMap<string, AskRow>;
  readonly steers: ReadonlyMap<string, SteerRow>;
  readonly transcripts: ReadonlyMap<string, Transcript>;
  /** Ids of the sets of a conversation, in the order of their numbers. */
  readonly setsOf: ReadonlyMap<string, readonly string[]>;
  /** Ids of the runs of a set, in the order of their tasks; later attempts at a task come after the first. */
  readonly runsOf: ReadonlyMap<string, readonly string[]>;
  /** Ids of the steering messages of a run, oldest first. */
  readonly steersOf: ReadonlyMap<string, readonly string[]>;
}

const empty = new Map<string, never>();

export const EMPTY_LIVE: LiveState = {
  boot: null,
  subscription: null,
  rev: 0,
  app: null,
  projects: empty,
  conversations: empty,
  sets: empty,
  runs: empty,
  asks: empty,
  steers: empty,
  transcripts: empty,
  setsOf: empty,
  runsOf: empty,
  steersOf: empty,
};

type MapKey = {
  [K in keyof LiveState]: LiveState[K] extends ReadonlyMap<string, unknown> ? K : never;
}[keyof LiveState];
type ValueOf<K extends MapKey> = LiveState[K] extends ReadonlyMap<string, infer V> ? V : never;

/** A state being changed: each map is copied at most once, however many changes arrive together. */
class Draft {
  next: LiveState;
  readonly #copied = new Set<MapKey>();

  constructor(state: LiveState) {
    this.next = state;
  }

  set(part: Partial<LiveState>): void {
    this.next = { ...this.next, ...part };
  }

  #map<K extends MapKey>(key: K): Map<string, ValueOf<K>> {
    if (!this.#copied.has(key)) {
      this.#copied.add(key);
      this.set({ [key]: new Map(this.next[key] as ReadonlyMap<string, ValueOf<K>>) });
    }
    return this.next[key] as unknown as Map<string, ValueOf<K>>;
  }

  put<K extends MapKey>(key: K, id: string, value: ValueOf<K>): void {
    this.#map(key).set(id, value);
  }

  drop(key: MapKey, id: string): void {
    if (this.next[key].has(id)) this.#map(key).delete(id);
  }

  replace<K extends MapKey>(key: K, map: Map<string, ValueOf<K>>): void {
    this.#copied.add(key);
    this.set({ [key]: map });
  }

  /** Adds a new id to an index in its order. */
  index(key: 'setsOf' | 'runsOf' | 'steersOf', owner: string, id: string, order: (id: string) => number): void {
    const ids = this.next[key].get(owner) ?? [];
    if (ids.includes(id)) return;
    this.put(
      key,
      owner,
      [...ids, id].sort((a, b) => order(a) - order(b)),
    );
  }
}

function putSet(draft: Draft, row: SetRow): void {
  const known = draft.next.sets.has(row.delegation_id);
  draft.put('sets', row.delegation_id, row);
  if (known) return;
  draft.index('setsOf', row.conversation_id, row.delegation_id, (id) => draft.next.sets.get(id)?.set ?? 0);
}

function putRun(draft: Draft, row: RunRow): void {
  const known = draft.next.runs.has(row.run_id);
  draft.put('runs', row.run_id, row);
  if (known || row.delegation_id === null) return;
  draft.index('runsOf', row.delegation_id, row.run_id, (id) => {
    const run = draft.next.runs.get(id);
    return run === undefined ? 0 : (run.task_index ?? 0) + (run.retry_of === null && run.continues === null ? 0 : 0.5);
  });
}

function putSteer(draft: Draft, row: SteerRow): void {
  const known = draft.next.steers.has(row.steer_id);
  draft.put('steers', row.steer_id, row);
  if (known) return;
  draft.index('steersOf', row.run_id, row.steer_id, (id) => draft.next.steers.get(id)?.sent_at ?? 0);
}

const noTranscript: Transcript = { count: 0, pages: [] };

function withEntries(transcript: Transcript, entries: readonly Entry[], count: number): Transcript {
  const pages = [...transcript.pages];
  const copied = new Map<number, (Entry | undefined)[]>();
  let last = count;
  for (const entry of entries) {
    const place = Math.floor(entry.entry / PAGE);
    let page = copied.get(place);
    if (page === undefined) {
      page = [...(pages[place] ?? [])];
      copied.set(place, page);
      pages[place] = page;
    }
    page[entry.entry % PAGE] = entry;
    last = Math.max(last, entry.entry + 1);
  }
  return { pages, count: last };
}

/** The entry with this number, if it has arrived. */
export function entryAt(transcript: Transcript | undefined, entry: number): Entry | undefined {
  return transcript?.pages[Math.floor(entry / PAGE)]?.[entry % PAGE];
}

function changeEntry(draft: Draft, runId: string, number: number, change: (entry: Entry) => Entry): void {
  const transcript = draft.next.transcripts.get(runId);
  const entry = entryAt(transcript, number);
  if (transcript === undefined || entry === undefined) return;
  const changed = change(entry);
  if (changed !== entry) {
    draft.put('transcripts', runId, withEntries(transcript, [changed], transcript.count));
  }
}

/** Puts `text` at `offset`; a repeated delta changes nothing, one beyond the end is a gap that a snapshot will mend. */
function withDelta(entry: Entry, offset: number, text: string): Entry {
  if (offset > entry.text.length || offset + text.length <= entry.text.length) return entry;
  return { ...entry, text: entry.text.slice(0, offset) + text };
}

function removeConversation(draft: Draft, id: string): void {
  dropContents(draft, id);
  draft.drop('conversations', id);
  for (const ask of draft.next.asks.values()) if (ask.conversation_id === id) draft.drop('asks', ask.ask_id);
}

function dropContents(draft: Draft, conversationId: string): void {
  for (const id of draft.next.setsOf.get(conversationId) ?? []) {
    draft.drop('sets', id);
    draft.drop('runsOf', id);
  }
  draft.drop('setsOf', conversationId);
  for (const run of draft.next.runs.values()) {
    if (run.conversation_id !== conversationId) continue;
    draft.drop('runs', run.run_id);
    // A run of *Needs you* is there before its set is: what holds its place must go with it, or it is never put in order.
    if (run.delegation_id !== null) draft.drop('runsOf', run.delegation_id);
    for (const steer of draft.next.steersOf.get(run.run_id) ?? []) draft.drop('steers', steer);
    draft.drop('steersOf', run.run_id);
  }
}

function applyChange(draft: Draft, change: Change): void {
  switch (change.type) {
    case 'app':
      draft.set({ app: change.row });
      return;
    case 'project':
      draft.put('projects', change.row.project_id, change.row);
      return;
    case 'conversation':
      draft.put('conversations', change.row.conversation_id, change.row);
      return;
    case 'set':
      putSet(draft, change.row);
      return;
    case 'run':
      putRun(draft, change.row);
      return;
    case 'ask':
      draft.put('asks', change.row.ask_id, change.row);
      return;
    case 'steer':
      putSteer(draft, change.row);
      return;
    case 'entry': {
      const transcript = draft.next.transcripts.get(change.entry.run_id) ?? noTranscript;
      draft.put('transcripts', change.entry.run_id, withEntries(transcript, [change.entry], transcript.count));
      return;
    }
    case 'delta':
      changeEntry(draft, change.run_id, change.entry, (entry) => withDelta(entry, change.offset, change.text));
      return;
    case 'entry_meta':
      changeEntry(draft, change.run_id, change.entry, (entry) => ({ ...entry, meta: change.meta satisfies EntryMeta }));
      return;
    case 'entry_end':
      changeEntry(draft, change.run_id, change.entry, (entry) => ({ ...entry, ended: true }));
      return;
    case 'removed':
      if (change.what === 'project') draft.drop('projects', change.id);
      else removeConversation(draft, change.id);
      return;
  }
}

function putRows(draft: Draft, snapshot: Snapshot): void {
  for (const row of snapshot.sets) putSet(draft, row);
  for (const row of snapshot.runs) putRun(draft, row);
  for (const row of snapshot.asks) draft.put('asks', row.ask_id, row);
  for (const row of snapshot.steers) putSteer(draft, row);
}

function byId<T>(rows: readonly T[], id: (row: T) => string): Map<string, T> {
  return new Map(rows.map((row) => [id(row), row]));
}

function applySnapshot(draft: Draft, snapshot: Snapshot): void {
  const { scope } = snapshot;
  switch (scope.type) {
    case 'app': {
      const conversations = byId(snapshot.conversations, (row) => row.conversation_id);
      for (const id of draft.next.conversations.keys()) if (!conversations.has(id)) removeConversation(draft, id);
      draft.replace(
        'projects',
        byId(snapshot.projects, (row) => row.project_id),
      );
      draft.replace('conversations', conversations);
      draft.replace('asks', new Map());
      draft.set({ app: snapshot.app ?? draft.next.app });
      break;
    }
    case 'conversation':
      dropContents(draft, scope.conversation_id);
      for (const row of snapshot.conversations) draft.put('conversations', row.conversation_id, row);
      break;
    case 'transcript':
      draft.put('transcripts', scope.run_id, withEntries(noTranscript, snapshot.entries, snapshot.entry_count));
      break;
  }
  putRows(draft, snapshot);
}

function applyMessage(draft: Draft, message: FeedMessage): void {
  switch (message.type) {
    case 'hello':
      draft.set({ subscription: message.subscription_id, boot: message.boot, rev: message.rev });
      return;
    case 'snapshot':
      applySnapshot(draft, message.snapshot);
      draft.set({ rev: Math.max(draft.next.rev, message.rev) });
      return;
    case 'changes':
      for (const change of message.changes) applyChange(draft, change);
      draft.set({ rev: Math.max(draft.next.rev, message.rev) });
      return;
  }
}

/** The state after these messages of the feed, in order; rows that did not change keep their identity. */
export function applyFeed(state: LiveState, messages: readonly FeedMessage[]): LiveState {
  const draft = new Draft(state);
  for (const message of messages) applyMessage(draft, message);
  return draft.next;
}

/** The state without what only this scope told us: called when nobody looks at it any more. */
export function leaveScope(state: LiveState, scope: Scope): LiveState {
  const draft = new Draft(state);
  switch (scope.type) {
    case 'app':
      break;
    case 'conversation':
      dropContents(draft, scope.conversation_id);
      break;
    case 'transcript':
      draft.drop('transcripts', scope.run_id);
      break;
  }
  return draft.next;
}

/** The state with a page of a transcript that was asked for; what the feed brought meanwhile is newer and stays. */
export function addPage(state: LiveState, runId: string, entries: readonly Entry[], count: number): LiveState {
  const transcript = state.transcripts.get(runId);
  if (transcript === undefined) return state;
  const missing = entries.filter((entry) => entryAt(transcript, entry.entry) === undefined);
  const draft = new Draft(state);
  draft.put('transcripts', runId, withEntries(transcript, missing, Math.max(count, transcript.count)));
  return draft.next;
}
