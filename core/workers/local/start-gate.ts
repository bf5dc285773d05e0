/** Gives a place back; calling it twice does nothing. */
export type LeaveGate = () => void;

/** Limits how many workers start at once (R1): from the spawn to the handshake each of them needs a processor. First come, first served. */
export class StartGate {
  readonly #places: number;
  #taken = 0;
  readonly #queue: { enter: (leave: LeaveGate) => void; readonly signal: AbortSignal }[] = [];

  constructor(places: number) {
    this.#places = places;
  }

  /** Starts at work or in the queue. */
  get busy(): number {
    return this.#taken + this.#queue.length;
  }

  /** Resolves with a place, or with null when the signal was aborted before there was one. */
  enter(signal: AbortSignal): Promise<LeaveGate | null> {
    if (signal.aborted) return Promise.resolve(null);
    if (this.#taken < this.#places) return Promise.resolve(this.#place());
    return new Promise((resolve) => {
      const waiting = { enter: resolve, signal };
      this.#queue.push(waiting);
      signal.addEventListener(
        'abort',
        () => {
          const at = this.#queue.indexOf(waiting);
          if (at < 0) return;
          this.#queue.splice(at, 1);
          resolve(null);
        },
        { once: true },
      );
    });
  }

  #place(): LeaveGate {
    this.#taken += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#taken -= 1;
      const next = this.#queue.shift();
      if (next !== undefined) next.enter(this.#place());
    };
  }
}
