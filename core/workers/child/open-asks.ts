import type { AskAnswer } from '../../runners/contract.ts';

interface Waiting {
  readonly resolve: (answer: AskAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** The end of an ask that nobody waits for any more. */
export const NOT_ASKED = new Error('It is not asked for any more.');

/** What a run has asked and nobody has answered yet, by key. */
export class OpenAsks {
  readonly #waiting = new Map<string, Waiting>();
  readonly #closed: (key: string) => void;

  /** @param closed called with each that nobody need answer any more */
  constructor(closed: (key: string) => void) {
    this.#closed = closed;
  }

  get keys(): string[] {
    return [...this.#waiting.keys()];
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Resolves with the answer; rejects when it is closed before there is one. */
  add(key: string): Promise<AskAnswer> {
    return new Promise((resolve, reject) => this.#waiting.set(key, { resolve, reject }));
  }

  /** False when nobody waits for it. */
  answer(key: string, answer: AskAnswer): boolean {
    const ask = this.#waiting.get(key);
    this.#waiting.delete(key);
    ask?.resolve(answer);
    return ask !== undefined;
  }

  /** Closes these, in the order in which they were asked; tells whether any was open. */
  close(keys: readonly string[], why: Error = NOT_ASKED): boolean {
    const open = keys.filter((key) => this.#waiting.has(key));
    for (const key of open) {
      const ask = this.#waiting.get(key);
      this.#waiting.delete(key);
      this.#closed(key);
      ask?.reject(why);
    }
    return open.length > 0;
  }
}
