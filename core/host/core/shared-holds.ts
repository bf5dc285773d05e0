import type { Clock } from '../../kit/clock.ts';
import type { KeyHold } from '../../protocol/frames.ts';

// R8: no wait that a provider asks for is longer than 15 minutes, with some room for the spread.
const LONGEST_MS = 16 * 60_000;

/** What workers have found about keys that are held (R8): one is told, all others hear of it, also those that start later. */
export class SharedHolds {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes in what a worker was told. Null when it is no news, else the hold for all others. */
  found({ key_id, until }: KeyHold): KeyHold | null {
    const now = this.#clock.now();
    const bounded = Math.min(until, now + LONGEST_MS);
    if (bounded <= now || bounded <= (this.#until.get(key_id) ?? 0)) return null;
    this.#until.set(key_id, bounded);
    return { key_id, until: bounded };
  }

  /** Keys that are held now. */
  get open(): KeyHold[] {
    const now = this.#clock.now();
    for (const [key_id, until] of this.#until) if (until <= now) this.#until.delete(key_id);
    return [...this.#until].map(([key_id, until]) => ({ key_id, until }));
  }
}
