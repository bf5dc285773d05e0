import type { Clock } from '../../../kit/clock.ts';
import type { EntryMeta, ToolDisplay } from '../../../protocol/entry.ts';
import type { OpenEntry, RunnerPort } from '../../contract.ts';

type CallMeta = Extract<EntryMeta, { type: 'tool_call' }>;

/** Shown output beyond this was cut while it came; the result has head and tail of it. */
const SHOWN_WHOLE = 200_000;

/** What is known of a call when its message has ended. */
export interface CallHead {
  readonly call_id: string;
  readonly name: string;
  readonly title: string;
  /** As the model sent them. */
  readonly arguments: string;
}

/** A tool call in the transcript, from the end of its message to its result. */
export class CallEntry {
  readonly #entry: OpenEntry;
  readonly #clock: Clock;
  #meta: CallMeta;
  #since: number | null = null;
  #shown = 0;
  #ended = false;

  constructor(port: RunnerPort, head: CallHead) {
    this.#clock = port.clock;
    this.#meta = { type: 'tool_call', ...head, status: 'waiting', display: null, seconds: null };
    this.#entry = port.transcript.open(this.#meta);
  }

  running(): void {
    this.#since = this.#clock.monotonic();
    this.#set({ status: 'running' });
  }

  /** Output while it comes. */
  append(text: string): void {
    if (this.#ended) return;
    this.#shown += text.length;
    this.#entry.append(text);
  }

  /** Closes the entry. Output that was streamed whole stays as it was shown, with its colours; else `text` takes its place. */
  end(status: 'ok' | 'error' | 'refused', text: string, display: ToolDisplay | null = null): void {
    if (this.#ended) return;
    this.#ended = true;
    const seconds = this.#since === null ? null : Math.round((this.#clock.monotonic() - this.#since) / 100) / 10;
    this.#meta = { ...this.#meta, status, display, seconds };
    const keep = this.#shown > 0 && this.#shown <= SHOWN_WHOLE;
    this.#entry.end(keep ? { meta: this.#meta } : { meta: this.#meta, text });
  }

  #set(change: Partial<CallMeta>): void {
    this.#meta = { ...this.#meta, ...change };
    this.#entry.setMeta(this.#meta);
  }
}
