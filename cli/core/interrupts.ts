import { EXIT } from '../exit-status.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Failure } from './failure.ts';

/**
 * Ctrl-C from the first moment of a command that starts work. Left to the system it would end the command between the storing of a set
 * and the watch of it, and the set would go on with nobody there.
 */
export class Interrupts {
  #count = 0;
  #isClosed = false;
  readonly #waiting = new Set<() => void>();
  readonly #stopListening: () => void;

  constructor(terminal: Terminal) {
    this.#stopListening = terminal.onInterrupt(() => {
      this.#count += 1;
      for (const heard of [...this.#waiting]) heard();
    });
  }

  /** How often it was pressed. */
  get count(): number {
    return this.#count;
  }

  /** Calls `heard` at each press from now on, until the function it answers is called. */
  each(heard: () => void): () => void {
    this.#waiting.add(heard);
    return () => void this.#waiting.delete(heard);
  }

  /** Waits for what starts nothing: the first press ends the command. */
  before<T>(work: Promise<T>): Promise<T> {
    return this.#unless(1, work);
  }

  /** Waits for what may start work, which is to be stopped when it is known: only the second press ends the command. */
  during<T>(work: Promise<T>): Promise<T> {
    return this.#unless(2, work);
  }

  /** From now on Ctrl-C means again what it means to the system. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening();
  }

  async #unless<T>(presses: number, work: Promise<T>): Promise<T> {
    const pressed = Promise.withResolvers<never>();
    const look = (): void => {
      if (this.#count >= presses) pressed.reject(new Failure(EXIT.interrupted, 'Interrupted.'));
    };
    const forget = this.each(look);
    look();
    try {
      return await Promise.race([pressed.promise, work]);
    } finally {
      forget();
    }
  }
}
