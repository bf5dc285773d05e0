import type { CancelTimer, Clock } from '../clock.ts';
import type { ProcessIdentity, ProcessSource } from './process-entry.ts';
import { processTable } from './process-table.ts';
import type { ProcessTable } from './process-table.ts';

/** How often the machine is listed while somebody watches. */
export interface ScanPace {
  /** Milliseconds between listings right after a change. */
  readonly minMs: number;
  /** Milliseconds between listings when nothing has changed for long. */
  readonly maxMs: number;
}

/** 500 ms finds most daemons while their parent lives; 5 s costs about 0.1 % of one processor on a machine with 300 processes. */
const DEFAULT_PACE: ScanPace = { minMs: 500, maxMs: 5000 };

/** Share of time that listing may take: a listing of 10 ms is not repeated within 500 ms. */
const COST_FACTOR = 50;

/** Somebody who wants every listing. */
export interface ScanListener {
  /** Resolves to true when something changed, which makes the next listing come soon. */
  onTable(table: ProcessTable): Promise<boolean>;
  /** True for a process that is known to belong to this listener's tree. */
  owns(identity: ProcessIdentity): boolean;
}

/** One per process of ours: all trees share its listings, so that a hundred of them cost the same as one. */
export class ProcessScanner {
  readonly source: ProcessSource;
  readonly #clock: Clock;
  readonly #pace: ScanPace;
  readonly #listeners = new Set<ScanListener>();
  #running: Promise<ProcessTable> | null = null;
  #next: Promise<ProcessTable> | null = null;
  #cancel: CancelTimer | null = null;
  #interval: number;
  #lastCostMs = 0;
  #order = 0;
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(options: { source: ProcessSource; clock: Clock; scanEveryMs?: ScanPace }) {
    this.source = options.source;
    this.#clock = options.clock;
    this.#pace = options.scanEveryMs ?? DEFAULT_PACE;
    this.#interval = this.#pace.minMs;
  }

  /** A listing that begins after this call; calls that come while one runs share the next. Rejects when the platform's means fail. */
  fresh(): Promise<ProcessTable> {
    if (this.#running === null) return this.#start();
    const begin = (): Promise<ProcessTable> => {
      this.#next = null;
      return this.#start();
    };
    this.#next ??= this.#running.then(begin, begin);
    return this.#next;
  }

  /** Gives the listener every listing from now on, in an adaptive rhythm. */
  watch(listener: ScanListener): CancelTimer {
    this.#listeners.add(listener);
    this.#interval = this.#pace.minMs;
    // A listing that is due sooner stays, so that a stream of new trees does not put it off for ever.
    if (this.#clock.monotonic() + this.#interval < this.#dueAt) this.#schedule();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** True when a tree other than `asker`'s has recorded the process. */
  isOwnedByOther(identity: ProcessIdentity, asker: ScanListener): boolean {
    for (const listener of this.#listeners) if (listener !== asker && listener.owns(identity)) return true;
    return false;
  }

  #start(): Promise<ProcessTable> {
    const begin = this.#clock.monotonic();
    const order = (this.#order += 1);
    const running = this.source.list().then((listing) => {
      this.#lastCostMs = this.#clock.monotonic() - begin;
      return processTable(listing, order);
    });
    this.#running = running;
    const done = (): void => {
      if (this.#running === running) this.#running = null;
    };
    running.then(done, done);
    return running;
  }

  #schedule(): void {
    this.#stop();
    const wait = Math.max(this.#interval, Math.min(this.#lastCostMs * COST_FACTOR, this.#pace.maxMs));
    this.#dueAt = this.#clock.monotonic() + wait;
    this.#cancel = this.#clock.after(wait, () => void this.#tick());
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  async #tick(): Promise<void> {
    const changed = await this.fresh().then(
      (table) => this.#tell(table),
      () => false, // Whoever needs a proof asks for a listing itself, and is told why there is none.
    );
    this.#interval = changed ? this.#pace.minMs : Math.min(this.#interval * 1.5, this.#pace.maxMs);
    if (this.#listeners.size > 0) this.#schedule();
  }

  async #tell(table: ProcessTable): Promise<boolean> {
    const changes = await Promise.all([...this.#listeners].map((listener) => listener.onTable(table)));
    return changes.includes(true);
  }
}
