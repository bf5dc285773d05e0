import type { Entry, EntryMeta } from '../../protocol/entry.ts';
import type { Change } from '../../protocol/feed.ts';
import type { WorkerEvent } from '../../protocol/frames.ts';
import type { EntryWrite } from '../../registry/store/records.ts';

/** The events of a worker that make up its transcript. */
export type TranscriptEvent = Extract<WorkerEvent, { type: 'entry' | 'delta' | 'entry_end' | 'entry_meta' }>;

/** Whether a worker's event belongs to the transcript; these are stored as they are, outside decisions. */
export function isTranscriptEvent(event: WorkerEvent): event is TranscriptEvent {
  return event.type === 'entry' || event.type === 'delta' || event.type === 'entry_end' || event.type === 'entry_meta';
}

interface OpenEntry {
  readonly run_id: string;
  readonly entry: number;
  readonly at: number;
  meta: EntryMeta;
  /** As it is committed; null before the first commit. */
  storedMeta: EntryMeta | null;
  /** What is committed, in pieces, so that the end need not read it back; and its length in UTF-16 units. */
  readonly stored: string[];
  committed: number;
  /** The first half of a surrogate pair whose second half has not come: SQLite cannot hold it alone. */
  held: string;
  /** Text since the last commit. */
  pieces: string[];
  pending: number;
  /** Whole text, from the end of the entry on. */
  ended: string | null;
}

/** What one transaction takes of the transcripts. Exactly one of `committed` and `failed` is called, before anything else is applied. */
export interface TakenText {
  readonly writes: readonly EntryWrite[];
  /** What clients are told after the commit. */
  readonly changes: readonly { readonly run_id: string; readonly change: Change }[];
  committed(): void;
  /** Goes back to what is committed: the events that were applied will be applied again. */
  failed(): void;
}

/** Running transcripts in memory, between the workers' deltas and the database. */
export class Transcripts {
  readonly #open = new Map<string, Map<number, OpenEntry>>();
  readonly #touched = new Set<OpenEntry>();

  /** Something was applied that no transaction has taken. */
  get isPending(): boolean {
    return this.#touched.size > 0;
  }

  /** The number after the last open entry of a run; 0 when none is open. */
  nextEntry(runId: string): number {
    return Math.max(0, ...[...(this.#open.get(runId)?.keys() ?? [])].map((entry) => entry + 1));
  }

  /** Takes in an event of a run, in order. An event that comes twice, or of an entry that has ended, changes nothing (D4). */
  apply(runId: string, event: TranscriptEvent): void {
    const known = this.#open.get(runId)?.get(event.entry);
    if (event.type === 'entry') {
      if (known === undefined) this.#touched.add(this.#add(opened(runId, event)));
      return;
    }
    if (known === undefined || known.ended !== null) return;
    this.#touched.add(known);
    switch (event.type) {
      case 'delta':
        return append(known, event.offset, event.text);
      case 'entry_meta':
        known.meta = event.meta;
        return;
      case 'entry_end':
        known.meta = event.meta ?? known.meta;
        known.ended = event.text ?? wholeText(known);
    }
  }

  /** Continues an entry that an earlier core stored but did not see the end of. */
  adopt({ run_id, entry, at, meta, text }: Entry): void {
    const known = meta as EntryMeta;
    this.#add({
      ...EMPTY(),
      run_id,
      entry,
      at,
      meta: known,
      storedMeta: known,
      stored: [text],
      committed: text.length,
    });
  }

  /** Closes what a run left open, because its attempt has ended: nothing follows. */
  closeRun(runId: string): void {
    for (const entry of this.#open.get(runId)?.values() ?? []) {
      if (entry.ended !== null) continue;
      entry.ended = wholeText(entry);
      this.#touched.add(entry);
    }
  }

  /** The database is another one: nothing that is open belongs to it. */
  restart(): void {
    this.#open.clear();
    this.#touched.clear();
  }

  take(): TakenText {
    const taken = [...this.#touched].map((entry) => ({ entry, ...freshText(entry) }));
    this.#touched.clear();
    return {
      writes: taken.map(({ entry, text }) => toWrite(entry, text)),
      changes: taken.flatMap(({ entry, text }) =>
        toChanges(entry, text).map((change) => ({ run_id: entry.run_id, change })),
      ),
      committed: () => {
        for (const { entry, text, held } of taken) this.#settle(entry, text, held);
      },
      failed: () => {
        for (const { entry } of taken) this.#revert(entry);
      },
    };
  }

  #add(entry: OpenEntry): OpenEntry {
    const ofRun = this.#open.get(entry.run_id) ?? new Map<number, OpenEntry>();
    ofRun.set(entry.entry, entry);
    this.#open.set(entry.run_id, ofRun);
    return entry;
  }

  #remove({ run_id, entry }: OpenEntry): void {
    const ofRun = this.#open.get(run_id);
    ofRun?.delete(entry);
    if (ofRun?.size === 0) this.#open.delete(run_id);
  }

  #settle(entry: OpenEntry, text: string, held: string): void {
    if (entry.ended !== null) return this.#remove(entry);
    entry.storedMeta = entry.meta;
    if (text !== '') entry.stored.push(text);
    entry.committed += text.length;
    entry.held = held;
    entry.pieces = [];
    entry.pending = 0;
  }

  #revert(entry: OpenEntry): void {
    if (entry.storedMeta === null) return this.#remove(entry);
    entry.meta = entry.storedMeta;
    entry.pieces = [];
    entry.pending = 0;
    entry.ended = null;
  }
}

const EMPTY = (): Pick<OpenEntry, 'storedMeta' | 'stored' | 'committed' | 'held' | 'pieces' | 'pending' | 'ended'> => ({
  storedMeta: null,
  stored: [],
  committed: 0,
  held: '',
  pieces: [],
  pending: 0,
  ended: null,
});

function opened(run_id: string, event: Extract<TranscriptEvent, { type: 'entry' }>): OpenEntry {
  const { entry, at, meta, text } = event;
  return { ...EMPTY(), run_id, entry, at, meta, pieces: text === '' ? [] : [text], pending: text.length };
}

function append(entry: OpenEntry, offset: number, text: string): void {
  const length = entry.committed + entry.held.length + entry.pending;
  // A repeated delta brings nothing new; the transport already dropped what was acknowledged.
  const fresh = offset >= length ? text : text.slice(length - offset);
  if (fresh === '') return;
  entry.pieces.push(fresh);
  entry.pending += fresh.length;
}

function wholeText({ stored, held, pieces }: OpenEntry): string {
  return [...stored, held, ...pieces].join('');
}

/** The text that is to be stored now, and the half of a pair that has to wait for its other half. */
function freshText({ held, pieces }: OpenEntry): { text: string; held: string } {
  const text = held + pieces.join('');
  const last = text.charCodeAt(text.length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return isHalf ? { text: text.slice(0, -1), held: text.slice(-1) } : { text, held: '' };
}

function toWrite(entry: OpenEntry, text: string): EntryWrite {
  const { run_id, at, meta, storedMeta, ended, committed } = entry;
  const chunk = ended === null && text !== '' ? { offset: committed, text } : null;
  return {
    run_id,
    entry: entry.entry,
    at,
    meta: meta === storedMeta ? null : JSON.stringify(meta),
    isNew: storedMeta === null,
    chunk,
    text: ended,
  };
}

function toChanges(entry: OpenEntry, text: string): Change[] {
  const { run_id, at, meta, storedMeta, stored, ended, committed } = entry;
  // A text that its end corrects is told whole; of any other one clients have all but what is fresh.
  if (storedMeta === null || (ended !== null && ended !== [...stored, text].join(''))) {
    const whole = ended ?? text;
    return [{ type: 'entry', entry: { run_id, entry: entry.entry, at, meta, text: whole, ended: ended !== null } }];
  }
  const changes: Change[] = [];
  if (meta !== storedMeta) changes.push({ type: 'entry_meta', run_id, entry: entry.entry, meta });
  if (text !== '') changes.push({ type: 'delta', run_id, entry: entry.entry, offset: committed, text });
  if (ended !== null) changes.push({ type: 'entry_end', run_id, entry: entry.entry });
  return changes;
}
