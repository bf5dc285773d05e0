/** Random choices that are the same for the same seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  fraction(): number {
    // mulberry32 (public domain): small, and good enough for choices.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One of them; undefined of none. */
  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.fraction() * from.length)];
  }

  /** Dice of their own for one purpose, so that what happens in one does not shift another. */
  apart(): Dice {
    return new Dice(this.between(0, 2 ** 31));
  }
}
