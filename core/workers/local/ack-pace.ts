import type { CancelTimer, Clock } from '../../kit/clock.ts';

/** A stream is committed up to forty times a second; a worker needs to hear of it only so often, and each time wakes it. */
const EVERY_MS = 100;

/** What is acknowledged is dropped from the worker's memory, which is bounded: so much of it is told at once. */
const AT_ONCE_BYTES = 256 * 1024;

/** When acknowledgements go out: the first at once, those that follow closely together. They are cumulative, so the newest says all. */
export class AckPace {
  readonly #clock: Clock;
  readonly #send: (seq: number) => void;
  #sentAt = Number.NEGATIVE_INFINITY;
  #waiting: number | null = null;
  #bytes = 0;
  #cancel: CancelTimer = () => undefined;

  /** @param send sends the acknowledgement of everything up to a number */
  constructor(clock: Clock, send: (seq: number) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Everything up to `seq` is committed: `bytes` of frames more than before. */
  committed(seq: number, bytes: number): void {
    const isFirst = this.#waiting === null;
    this.#waiting = seq;
    this.#bytes += bytes;
    const rest = this.#sentAt + EVERY_MS - this.#clock.monotonic();
    if (rest <= 0 || this.#bytes >= AT_ONCE_BYTES) return this.flush();
    if (isFirst) this.#cancel = this.#clock.after(rest, () => this.flush());
  }

  /** Sends what waits now: before another frame, so that the worker hears in order. */
  flush(): void {
    const seq = this.#waiting;
    if (seq === null) return;
    this.close();
    this.#sentAt = this.#clock.monotonic();
    this.#send(seq);
  }

  /** Forgets what waits. */
  close(): void {
    this.#cancel();
    this.#waiting = null;
    this.#bytes = 0;
  }
}
