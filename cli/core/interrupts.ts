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
  readonly #terminal: Terminal;
  readonly #stopListening: () => void;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
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

  /**
   * Waits for what starts work, which is to be stopped when it is known: the second press ends the command, when `undo` has been done to what has been
   * started by then; the third does not wait for that.
   */
  async during<T>(work: Promise<T>, undo: (started: T) => Promise<unknown>): Promise<T> {
    const said = this.each(() => {
      if (this.#count === 1) this.#terminal.note('Stopping what is being stored; Ctrl-C again does not wait for it.');
    });
    try {
      return await this.#unless(2, work);
    } catch (error) {
      if (this.#count > 1) {
        this.#terminal.note('Killing; Ctrl-C again leaves at once.');
        await this.#unless(3, work.then(undo)).catch(() => undefined);
      }
      throw error;
    } finally {
      said();
    }
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
