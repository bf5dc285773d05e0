import type { Clock } from '../../kit/clock.ts';
import type { EntryMeta } from '../../protocol/entry.ts';
import type { OpenEntry, Transcript } from '../../runners/contract.ts';
import { PIECE_UNITS } from './event-batch.ts';
import type { EventBatch } from './event-batch.ts';

/** Writes the transcript as events; knows which tool calls are open, for the idle limits (R7). */
export class TranscriptWriter implements Transcript {
  readonly #batch: EventBatch;
  readonly #clock: Clock;
  readonly #onText: () => void;
  readonly #toolsAtWork = new Set<number>();
  #next = 0;

  /** @param onText called whenever something is written */
  constructor(batch: EventBatch, clock: Clock, onText: () => void) {
    this.#batch = batch;
    this.#clock = clock;
    this.#onText = onText;
  }

  /** Whether a tool runs. */
  get inTool(): boolean {
    return this.#toolsAtWork.size > 0;
  }

  open(meta: EntryMeta, text = ''): OpenEntry {
    const entry = this.#next;
    this.#next += 1;
    this.#noteTool(entry, meta);
    const first = text.slice(0, PIECE_UNITS);
    this.#batch.tell({ type: 'entry', entry, at: this.#clock.now(), meta, text: first });
    const written = new WrittenEntry(entry, first.length, this.#batch, {
      text: this.#onText,
      meta: (change) => this.#noteTool(entry, change),
    });
    this.#onText();
    if (text.length > first.length) written.append(text.slice(first.length));
    return written;
  }

  add(meta: EntryMeta, text: string): void {
    this.open(meta, text).end();
  }

  /** null: the entry has ended. */
  #noteTool(entry: number, meta: EntryMeta | null): void {
    this.#onText();
    if (meta?.type === 'tool_call' && meta.status === 'running') this.#toolsAtWork.add(entry);
    else this.#toolsAtWork.delete(entry);
  }
}

interface EntryHooks {
  text(): void;
  meta(meta: EntryMeta | null): void;
}

class WrittenEntry implements OpenEntry {
  readonly entry: number;
  readonly #batch: EventBatch;
  readonly #hooks: EntryHooks;
  #length: number;
  #ended = false;

  constructor(entry: number, length: number, batch: EventBatch, hooks: EntryHooks) {
    this.entry = entry;
    this.#length = length;
    this.#batch = batch;
    this.#hooks = hooks;
  }

  append(text: string): void {
    this.#mustBeOpen();
    if (text === '') return;
    this.#batch.append(this.entry, this.#length, text);
    this.#length += text.length;
    this.#hooks.text();
  }

  setMeta(meta: EntryMeta): void {
    this.#mustBeOpen();
    this.#batch.tell({ type: 'entry_meta', entry: this.entry, meta });
    this.#hooks.meta(meta);
  }

  end(final: { readonly meta?: EntryMeta; readonly text?: string } = {}): void {
    this.#mustBeOpen();
    this.#ended = true;
    this.#batch.tell({ type: 'entry_end', entry: this.entry, meta: final.meta ?? null, text: final.text ?? null });
    this.#hooks.meta(null);
  }

  #mustBeOpen(): void {
    if (this.#ended) throw new Error(`The entry ${this.entry} has ended`);
  }
}
