import type { Assignment } from '../../protocol/frames.ts';
import type { RunnerPort, Steer } from '../contract.ts';

/** What people and other runs say to an agent while it works (C2), with what became of each text. */
export class Steering {
  readonly #port: RunnerPort;
  readonly #early: Steer[];
  readonly #heard = new Set<string>();
  /** Heard, for the next turn. */
  #waiting: Steer[] = [];
  /** Given to the agent, and not known to be part of a turn yet. */
  readonly #open = new Map<string, Steer>();
  /** Part of the prompt of a turn that has not shown a sign of life yet. */
  #prompted: string[] = [];

  constructor(port: RunnerPort, { steers }: Pick<Assignment, 'steers'>) {
    this.#port = port;
    this.#early = [...steers];
  }

  /** Texts for the turn that runs, oldest first. */
  forTurn(): Steer[] {
    const steers = this.#fresh('steer');
    for (const steer of steers) this.#open.set(steer.steer_id, steer);
    return steers;
  }

  /** The agent says that the text is part of its turn. */
  delivered(steerId: string): void {
    if (this.#open.delete(steerId)) this.#port.steerDelivered(steerId);
  }

  /** It came too late for the turn: it begins the next one. */
  refused(steerId: string): void {
    const steer = this.#open.get(steerId);
    if (steer === undefined) return;
    this.#open.delete(steerId);
    this.#waiting.push(steer);
  }

  /** Texts that the agent has, and may begin a turn of its own with. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** After an answer: everything that is to be said in one more turn. */
  forNextTurn(): Steer[] {
    const steers = [...this.#waiting, ...this.#fresh('steer'), ...this.#fresh('follow_up')];
    this.#waiting = [];
    return steers;
  }

  /** A turn begins with these. */
  prompted(ids: readonly string[]): void {
    this.#prompted.push(...ids);
  }

  /** The turn shows that its prompt was sent. */
  turnLives(): void {
    for (const id of this.#prompted.splice(0)) this.#port.steerDelivered(id);
  }

  /** Accepted, but never known to be part of a turn. */
  missed(): { steer_id: string; text: string }[] {
    const all = new Map(this.#port.undeliveredSteers().map(({ steer_id, text }) => [steer_id, text]));
    for (const { steer_id, text } of [...this.#waiting, ...this.#open.values()]) all.set(steer_id, text);
    for (const { steer_id, text } of this.#early) if (!this.#heard.has(steer_id)) all.set(steer_id, text);
    return [...all].map(([steer_id, text]) => ({ steer_id, text }));
  }

  #fresh(mode: Steer['mode']): Steer[] {
    const known = [...this.#early, ...this.#port.takeSteers(mode)];
    const steers = known.filter((steer) => steer.mode === mode && !this.#heard.has(steer.steer_id));
    for (const { steer_id } of steers) this.#heard.add(steer_id);
    return steers;
  }
}
