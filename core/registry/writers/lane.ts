import type { CancelTimer, Clock } from '../../kit/clock.ts';
import { keepAlive } from './keep-alive.ts';

/** What became of one try: finished, whatever the outcome, or to be tried again because a lock is held elsewhere. */
export type Attempt = 'done' | 'busy';

/** Takes the number of tries before this one; never throws. */
type Job = (retry: number) => Attempt;

// Short first, because most locks are; the longest pause keeps recovery prompt and an idle loop idle.
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 250;

// A long queue (after a lock is gone) gives other work its turn at least this often.
const LONGEST_STRETCH_MS = 8;

/** Jobs of one writer in strict order; the first one is tried again until it is done (D1, D6: wait, lose nothing). */
export class Lane {
  readonly #clock: Clock;
  readonly #onStall: (waitedMs: number) => void;
  readonly #queue: Job[] = [];
  #waiting: (() => void)[] = [];
  #pumping = false;
  #resting = false;
  #retry = 0;
  #stalledAt = 0;
  #endPause: CancelTimer | null = null;

  /** `onStall` is told at each failed try for how many ms the first job has waited. */
  constructor(clock: Clock, onStall: (waitedMs: number) => void) {
    this.#clock = clock;
    this.#onStall = onStall;
  }

  get pending(): number {
    return this.#queue.length;
  }

  /** Tries the job at once if the lane is free, else when its turn comes. */
  push(job: Job): void {
    this.#queue.push(job);
    this.#pump();
  }

  /** Tries the waiting job now instead of after its pause. */
  kick(): void {
    this.#endPause?.();
    this.#pump();
  }

  /** Resolves when nothing is queued. */
  whenIdle(): Promise<void> {
    return this.#queue.length === 0 ? Promise.resolve() : new Promise((done) => this.#waiting.push(done));
  }

  #pump(): void {
    if (this.#pumping || this.#resting || this.#endPause !== null) return;
    this.#pumping = true;
    this.#runStretch();
    this.#pumping = false;
    if (this.#queue.length > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const done of waiting) done();
  }

  #runStretch(): void {
    const startedAt = this.#clock.monotonic();
    for (let job = this.#queue[0]; job !== undefined; job = this.#queue[0]) {
      if (job(this.#retry) === 'busy') return this.#pause();
      this.#retry = 0;
      this.#queue.shift();
      if (this.#queue.length > 0 && this.#clock.monotonic() - startedAt >= LONGEST_STRETCH_MS) return this.#rest();
    }
  }

  #rest(): void {
    this.#resting = true;
    setImmediate(() => {
      this.#resting = false;
      this.#pump();
    });
  }

  #pause(): void {
    if (this.#retry === 0) this.#stalledAt = this.#clock.monotonic();
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#retry, 10));
    this.#retry += 1;
    const letGo = keepAlive();
    const cancelTimer = this.#clock.after(ms, () => this.kick());
    this.#endPause = () => {
      this.#endPause = null;
      cancelTimer();
      letGo();
    };
    this.#onStall(this.#clock.monotonic() - this.#stalledAt);
  }
}
