import { delay, type Clock } from '../../core/kit/clock.ts';
import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { StopReceipt } from '../../core/protocol/report.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toFailure } from './api-failure.ts';
import { isLost } from './lost-line.ts';
import type { Interrupts } from './interrupts.ts';

/** A kill takes a moment; a core that says nothing for so long after it is left. */
const KILL_LIMIT_MS = 15_000;

/** What is needed to stop work that was started. */
export interface StoppingOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly interrupts: Interrupts;
  /** The core as it is now. */
  readonly client: () => ApiClient;
  /** What is stopped. */
  readonly id: string;
}

/**
 * What Ctrl-C means while work is waited for: once stops it, twice kills it, three times leaves it.
 *
 * | pressed | asked of the core | waited for |
 * |---|---|---|
 * | once | stop (C3) | the end of everything and the receipt |
 * | twice | stop without time to end by itself | the same, at most 15 s |
 * | three times | – | nothing |
 */
export class Stopping {
  readonly #options: StoppingOptions;
  readonly #left = Promise.withResolvers<'left'>();
  #receipt: Promise<StopReceipt | null> = Promise.resolve(null);

  constructor(options: StoppingOptions) {
    this.#options = options;
  }

  /** Resolves when the end of the work is not to be waited for any more. */
  get left(): Promise<'left'> {
    return this.#left.promise;
  }

  /** It was pressed. */
  press(): void {
    const { terminal, clock, interrupts } = this.#options;
    if (interrupts.count > 2) return this.#left.resolve('left');
    terminal.note(interrupts.count === 1 ? 'Stopping; Ctrl-C again kills.' : 'Killing; Ctrl-C again leaves at once.');
    if (interrupts.count === 2) void delay(clock, KILL_LIMIT_MS).then(() => this.#left.resolve('left'));
    this.ask();
  }

  /** Asks the core for what was pressed; again where a core has gone with the answer. */
  ask(): void {
    const { client, id, interrupts } = this.#options;
    if (interrupts.count === 0) return;
    const asked = client().runs.stop(interrupts.count > 1 ? { id, now: true } : { id });
    const before = this.#receipt;
    this.#receipt = asked.catch((error: unknown) => {
      if (!isLost(error)) this.#options.terminal.note(`espalier: it could not be stopped: ${reasonOf(error)}`);
      return null;
    });
    // What the first ended is not in the receipt of the second.
    if (interrupts.count > 1) this.#receipt = this.#receipt.then(async (last) => longer(await before, last));
  }

  /** What was stopped, when everything of it has ended; null when it was not, or the core has gone with the answer. */
  get receipt(): Promise<StopReceipt | null> {
    return this.#receipt;
  }
}

function longer(first: StopReceipt | null, last: StopReceipt | null): StopReceipt | null {
  if (first === null || last === null) return first ?? last;
  return first.run_ids.length >= last.run_ids.length ? first : last;
}

function reasonOf(error: unknown): string {
  try {
    return toFailure(error).message;
  } catch {
    return 'the core cannot be reached';
  }
}
