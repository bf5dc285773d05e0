import type { WorkerEvent } from '../../protocol/frames.ts';
import type { SteerMode } from '../../protocol/rows.ts';
import type { Message, Steer } from '../../runners/contract.ts';

type Told = Extract<WorkerEvent, { type: 'steer' }>['state'];

interface Known {
  readonly steer: Steer;
  state: 'waiting' | 'taken' | 'handed_over' | 'delivered';
}

/**
 * What people and the core have to say to the run. The same text may come as a steer and, when the run waits for its next turn, as a message under
 * the same id; and anything may come again after a cut. It is heard once.
 */
export class Messages {
  readonly #tell: (id: string, state: Told) => void;
  /** Steers by id, in the order of their arrival. */
  readonly #steers = new Map<string, Known>();
  readonly #messages: Message[] = [];
  /** Messages that came, by id. */
  readonly #heard = new Map<string, { readonly message: Message; told: boolean }>();

  /** @param tell says where a message stands */
  constructor(tell: (id: string, state: Told) => void) {
    this.#tell = tell;
  }

  steer(steer: Steer): void {
    if (this.#steers.has(steer.steer_id) || this.#heard.has(steer.steer_id)) return;
    this.#steers.set(steer.steer_id, { steer, state: 'waiting' });
    this.#tell(steer.steer_id, 'queued');
  }

  /** True when it is news. `awaited`: the run waits for it now. */
  message(message: Message, awaited = true): boolean {
    const id = message.message_id;
    const steer = this.#steers.get(id);
    if (this.#heard.has(id) || (steer !== undefined && isWithAgent(steer))) return false;
    // The run is in a turn, and hears the steer at its next safe boundary.
    if (!awaited && steer?.state === 'waiting') return false;
    // A steer that was taken and not delivered by now, while the run waits, would never be: it comes again as a message.
    this.#steers.delete(id);
    this.#heard.set(id, { message, told: false });
    this.#messages.push(message);
    return true;
  }

  takeSteers(mode: SteerMode): Steer[] {
    const taken = [...this.#steers.values()].filter((each) => each.state === 'waiting' && each.steer.mode === mode);
    for (const each of taken) each.state = 'taken';
    return taken.map((each) => each.steer);
  }

  /** The next message that is not part of a request yet. Steers that nobody took come as messages, when the core has a place for the run. */
  next(): Message | null {
    let message = this.#messages.shift();
    while (message !== undefined && this.#heard.get(message.message_id)?.told) message = this.#messages.shift();
    return message ?? null;
  }

  delivered(id: string): void {
    const steer = this.#steers.get(id);
    const heard = this.#heard.get(id);
    if (steer !== undefined && steer.state !== 'delivered') steer.state = 'delivered';
    else if (heard !== undefined && !heard.told) heard.told = true;
    else return;
    this.#tell(id, 'delivered');
  }

  /** The agent has it; that it was read is not known. */
  handedOver(id: string): void {
    const steer = this.#steers.get(id);
    const heard = this.#heard.get(id);
    if (steer !== undefined && !isWithAgent(steer)) steer.state = 'handed_over';
    else if (heard !== undefined && !heard.told) heard.told = true;
    else return;
    this.#tell(id, 'handed_over');
  }

  /** The turn that began with them is over: messages that were handed out are part of it, whether or not the runner said so. */
  turnOver(): void {
    for (const [id, { message, told }] of this.#heard)
      if (!told && !this.#messages.includes(message)) this.delivered(id);
  }

  undelivered(): { steer_id: string; text: string }[] {
    const steers = [...this.#steers.values()].filter((each) => !isWithAgent(each)).map((each) => each.steer);
    const heard = [...this.#heard.values()].filter(({ told, message }) => !told && message.origin === 'message');
    const messages = heard.map(({ message: { message_id: steer_id, text } }) => ({ steer_id, text }));
    return [...steers.map(({ steer_id, text }) => ({ steer_id, text })), ...messages];
  }
}

function isWithAgent({ state }: Known): boolean {
  return state === 'delivered' || state === 'handed_over';
}
