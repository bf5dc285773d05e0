import type { Message, RunnerPort, Steer } from '../../contract.ts';

/** What people and other runs say to a run while it works (C2): each text goes into one request, and is told as delivered when that was sent. */
export class Inbox {
  readonly #port: RunnerPort;
  /** Everything that was ever heard, so that nothing comes twice: a message may reach a run in two ways. */
  readonly #heard = new Set<string>();
  /** Heard, for the next request. */
  #waiting: Steer[] = [];
  /** Put into the next request, which has not been sent yet. */
  #unsent: { readonly id: string; readonly text: string }[] = [];

  /** `early` came before the start. */
  constructor(port: RunnerPort, early: readonly Steer[]) {
    this.#port = port;
    for (const steer of early) if (steer.mode === 'steer') this.#hear(steer);
    this.#early = early.filter((steer) => steer.mode === 'follow_up');
  }

  readonly #early: readonly Steer[];

  /** Whether somebody has said something for the next request; after an answer follow-ups count too. */
  hasNews(answered: boolean): boolean {
    for (const steer of this.#port.takeSteers('steer')) this.#hear(steer);
    if (answered) for (const steer of [...this.#early, ...this.#port.takeSteers('follow_up')]) this.#hear(steer);
    return this.#waiting.length > 0;
  }

  /** What goes into the next request, oldest first. */
  take(): readonly Steer[] {
    const steers = this.#waiting;
    this.#waiting = [];
    this.#unsent.push(...steers.map(({ steer_id, text }) => ({ id: steer_id, text })));
    return steers;
  }

  /** A message of its own goes into the next request. */
  takeMessage({ message_id, text }: Message): void {
    this.#heard.add(message_id);
    this.#waiting = this.#waiting.filter((steer) => steer.steer_id !== message_id);
    this.#unsent.push({ id: message_id, text });
  }

  /** The request has been sent. */
  sent(): void {
    for (const { id } of this.#unsent) this.#port.steerDelivered(id);
    this.#unsent = [];
  }

  /** Steering messages that were accepted but in no request that was sent. */
  missed(): { steer_id: string; text: string }[] {
    const all = new Map(this.#port.undeliveredSteers().map(({ steer_id, text }) => [steer_id, text]));
    for (const { steer_id, text } of this.#waiting) all.set(steer_id, text);
    for (const { steer_id, text } of this.#early) if (!this.#heard.has(steer_id)) all.set(steer_id, text);
    for (const { id, text } of this.#unsent) all.set(id, text);
    return [...all].map(([steer_id, text]) => ({ steer_id, text }));
  }

  #hear(steer: Steer): void {
    if (this.#heard.has(steer.steer_id)) return;
    this.#heard.add(steer.steer_id);
    this.#waiting.push(steer);
  }
}
