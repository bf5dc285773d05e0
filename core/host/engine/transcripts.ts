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
  /** Pieces since the last commit, and the length of what is committed. */
  pieces: string[];
  pending: number;
  committed: number;
  /** Earlier pieces, so that the end need not read them back. */
  stored: string[];
  isNew: boolean;
  metaChanged: boolean;
  /** Whole text of an ended entry, set once. */
  ended: string | null;
}

/**
 * Running transcripts in memory, between the workers' deltas and the database. What `take` hands out stays here until
 * `committed` is called; after a failed transaction the next `take` has it again.
 */
export class Transcripts {
  readonly #open = new Map<string, OpenEntry>();
  readonly #touched = new Set<string>();
  #bytes = 0;

  /** Characters that no commit has taken yet. */
  get pendingCharacters(): number {
    return this.#bytes;
  }

  get isPending(): boolean {
    return this.#touched.size > 0;
  }

  /** Takes in an event of a run, in order. */
  apply(runId: string, event: TranscriptEvent): void {
    const key = `${runId}/${event.entry}`;
    this.#touched.add(key);
    const known = this.#open.get(key);
    switch (event.type) {
      case 'entry':
        if (known === undefined) this.#open.set(key, this.#opened(runId, event));
        return;
      case 'delta':
        if (known !== undefined) this.#append(known, event.offset, event.text);
        return;
      case 'entry_meta':
        if (known !== undefined) setMeta(known, event.meta);
        return;
      case 'entry_end':
        if (known === undefined) return;
        if (event.meta !== null) setMeta(known, event.meta);
        known.ended = event.text ?? known.stored.join('') + known.pieces.join('');
    }
  }

  /** Continues an entry that an earlier core stored but did not see the end of. */
  adopt(entry: Entry): void {
    this.#open.set(`${entry.run_id}/${entry.entry}`, {
      run_id: entry.run_id,
      entry: entry.entry,
      at: entry.at,
      meta: entry.meta as EntryMeta,
      pieces: [],
      pending: 0,
      committed: entry.text.length,
      stored: [entry.text],
      isNew: false,
      metaChanged: false,
      ended: null,
    });
  }

  /** Closes what a run left open, because its attempt has ended: nothing follows. */
  closeRun(runId: string): void {
    for (const [key, entry] of this.#open) {
      if (entry.run_id !== runId || entry.ended !== null) continue;
      entry.ended = entry.stored.join('') + entry.pieces.join('');
      this.#touched.add(key);
    }
  }

  /** What the next transaction writes, and what clients are told of it after the commit. */
  take(): { readonly writes: EntryWrite[]; readonly changes: { run_id: string; change: Change }[]; committed(): void } {
    const taken = [...this.#touched].flatMap((key) => {
      const entry = this.#open.get(key);
      return entry === undefined ? [] : [{ key, entry, text: entry.pieces.join('') }];
    });
    this.#touched.clear();
    const writes = taken.map(({ entry, text }) => toWrite(entry, text));
    const changes = taken.flatMap(({ entry, text }) =>
      toChanges(entry, text).map((change) => ({ run_id: entry.run_id, change })),
    );
    this.#bytes = 0;
    return {
      writes,
      changes,
      committed: () => {
        for (const { key, entry, text } of taken) this.#settle(key, entry, text);
      },
    };
  }

  /** Marks everything that `take` handed out as still to be written, after a failed transaction. */
  restore(writes: readonly EntryWrite[]): void {
    for (const { run_id, entry } of writes) this.#touched.add(`${run_id}/${entry}`);
  }

  #settle(key: string, entry: OpenEntry, text: string): void {
    if (entry.ended !== null) {
      this.#open.delete(key);
      return;
    }
    const taken = text.length;
    const rest = entry.pieces.join('').slice(taken);
    entry.pieces = rest === '' ? [] : [rest];
    entry.pending = rest.length;
    if (taken > 0) entry.stored.push(text);
    entry.committed += taken;
    entry.isNew = false;
    entry.metaChanged = false;
  }

  #opened(runId: string, event: Extract<TranscriptEvent, { type: 'entry' }>): OpenEntry {
    this.#bytes += event.text.length;
    return {
      run_id: runId,
      entry: event.entry,
      at: event.at,
      meta: event.meta,
      pieces: event.text === '' ? [] : [event.text],
      pending: event.text.length,
      committed: 0,
      stored: [],
      isNew: true,
      metaChanged: true,
      ended: null,
    };
  }

  #append(entry: OpenEntry, offset: number, text: string): void {
    if (entry.ended !== null) return;
    const length = entry.committed + entry.pending;
    // A repeated delta brings nothing new; the transport already dropped what was acknowledged.
    const fresh = offset >= length ? text : text.slice(length - offset);
    if (fresh === '') return;
    entry.pieces.push(fresh);
    entry.pending += fresh.length;
    this.#bytes += fresh.length;
  }
}

function setMeta(entry: OpenEntry, meta: EntryMeta): void {
  entry.meta = meta;
  entry.metaChanged = true;
}

function toWrite(entry: OpenEntry, text: string): EntryWrite {
  const { run_id, at, isNew, metaChanged, ended, committed } = entry;
  const chunk = ended === null && text !== '' ? { offset: committed, text } : null;
  const meta = isNew || metaChanged ? JSON.stringify(entry.meta) : null;
  return { run_id, entry: entry.entry, at, meta, isNew, chunk, text: ended };
}

function toChanges(entry: OpenEntry, text: string): Change[] {
  const { run_id, at, meta, isNew, metaChanged, ended, committed } = entry;
  if (isNew || ended !== null) {
    const whole = ended ?? entry.stored.join('') + text;
    return [{ type: 'entry', entry: { run_id, entry: entry.entry, at, meta, text: whole, ended: ended !== null } }];
  }
  const changes: Change[] = [];
  if (metaChanged) changes.push({ type: 'entry_meta', run_id, entry: entry.entry, meta });
  if (text !== '') changes.push({ type: 'delta', run_id, entry: entry.entry, offset: committed, text });
  return changes;
}
