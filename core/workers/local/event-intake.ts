import type { WorkerEvent } from '../../protocol/frames.ts';

/** Events that the engine has not committed may take this much memory per attempt; then its socket is not read any more. */
const HIGH_BYTES = 4 * 1024 * 1024;
const LOW_BYTES = 1024 * 1024;

/** What became of an event that came in. */
export type Intake = 'taken' | 'duplicate' | 'gap';

/** Lets the events of one attempt through to the engine: each once, in order, and not more than it commits (D4). */
export class EventIntake {
  readonly #deliver: (seq: number, event: WorkerEvent) => void;
  readonly #pressure: (full: boolean) => void;
  #seen: number;
  #acked: number;
  #open: { readonly seq: number; readonly bytes: number }[] = [];
  #openBytes = 0;
  #full = false;
  #waiters: (() => void)[] = [];

  /** @param options.pressure told when to stop (true) and to go on (false) reading */
  constructor(options: {
    committed: number;
    deliver: (seq: number, event: WorkerEvent) => void;
    pressure: (full: boolean) => void;
  }) {
    this.#seen = options.committed;
    this.#acked = options.committed;
    this.#deliver = options.deliver;
    this.#pressure = options.pressure;
  }

  /** Last event that went to the engine. */
  get seen(): number {
    return this.#seen;
  }

  /** Last event that the engine has committed. */
  get acked(): number {
    return this.#acked;
  }

  /** Whether the engine has to commit before more is taken. */
  get isFull(): boolean {
    return this.#full;
  }

  take(seq: number, event: WorkerEvent, bytes: number): Intake {
    if (seq <= this.#seen) return 'duplicate';
    if (seq !== this.#seen + 1) return 'gap';
    this.#seen = seq;
    this.#open.push({ seq, bytes });
    this.#openBytes += bytes;
    this.#deliver(seq, event);
    if (!this.#full && this.#openBytes > HIGH_BYTES) this.#setFull(true);
    return 'taken';
  }

  /** Everything up to `seq` is committed. Answers the bytes of the frames that were so for the first time; 0 when that is no news. */
  ack(seq: number): number {
    if (seq <= this.#acked) return 0;
    this.#acked = Math.min(seq, this.#seen);
    const before = this.#openBytes;
    let done = 0;
    for (const { seq: each, bytes } of this.#open) {
      if (each > this.#acked) break;
      this.#openBytes -= bytes;
      done += 1;
    }
    this.#open.splice(0, done);
    if (this.#full && this.#openBytes <= LOW_BYTES) this.#setFull(false);
    return before - this.#openBytes;
  }

  /** Resolves as soon as more may be taken. */
  room(): Promise<void> {
    if (!this.#full) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #setFull(full: boolean): void {
    this.#full = full;
    this.#pressure(full);
    if (full) return;
    for (const go of this.#waiters.splice(0)) go();
  }
}
