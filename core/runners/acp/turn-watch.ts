import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import type { RunnerPort, Steer } from '../contract.ts';
import { unreachable } from '../preflight.ts';

/** Steering texts and pauses are looked for so often while the agent is at work. */
const LOOK_MS = 100;
/** A silent agent's model endpoint is asked for a sign of life so often. */
const PROBE_MS = 8000;
/** So many refusals one after the other are no hiccup. */
const PROBES = 3;

/** What is done while a turn runs. */
export interface TurnActions {
  /** No tool is at work, and nobody is asked. */
  readonly isAtBoundary: () => boolean;
  /** Puts a text into the turn that runs; only for agents that can take one. */
  readonly join: ((steer: Steer) => void) | null;
  /** Ends the turn at a boundary, to go on with a text or a pause. */
  readonly interrupt: () => void;
  /** The model's endpoint is not there any more. */
  readonly unreachable: (why: string) => void;
}

/** Looks after a turn that runs: brings steering texts to the agent (C2), pauses (R9), and notices an endpoint that is gone. */
export class TurnWatch {
  readonly #port: RunnerPort;
  readonly #actions: TurnActions;
  readonly #endpoint: URL | null;
  readonly #stop: readonly (() => void)[];
  readonly #abort = new AbortController();
  /** Texts that wait for a boundary. */
  readonly waiting: Steer[];
  #heardAt: number;
  #refusals = 0;
  #probing = false;
  #interrupted = false;

  constructor(port: RunnerPort, endpoint: URL | null, waiting: Steer[], actions: TurnActions) {
    this.#port = port;
    this.#actions = actions;
    this.#endpoint = endpoint;
    this.waiting = waiting;
    this.#heardAt = port.clock.monotonic();
    this.#stop = [port.clock.every(LOOK_MS, () => this.#look()), port.clock.every(PROBE_MS, () => void this.#probe())];
  }

  /** Something came from the agent. */
  heard(): void {
    this.#heardAt = this.#port.clock.monotonic();
    this.#refusals = 0;
  }

  close(): void {
    this.#abort.abort();
    for (const stop of this.#stop) stop();
  }

  #look(): void {
    if (this.#port.stop.aborted || this.#interrupted) return;
    for (const steer of this.#port.takeSteers('steer')) {
      if (this.#actions.join === null) this.waiting.push(steer);
      else this.#actions.join(steer);
    }
    if (this.waiting.length === 0 && !this.#port.pausing) return;
    if (!this.#actions.isAtBoundary()) return;
    this.#interrupted = true;
    this.#actions.interrupt();
  }

  async #probe(): Promise<void> {
    const silentMs = this.#port.clock.monotonic() - this.#heardAt;
    if (this.#endpoint === null || this.#probing || silentMs < PROBE_MS || !this.#actions.isAtBoundary()) return;
    this.#probing = true;
    const why = await unreachable(this.#endpoint, this.#abort.signal);
    this.#probing = false;
    this.#refusals = why === null ? 0 : this.#refusals + 1;
    if (why !== null && this.#refusals >= PROBES) this.#actions.unreachable(why);
  }
}

/** How a text reaches this agent while it works. */
export function joins(profile: AgentProfile, hasExtension: boolean): 'prompt' | 'extension' | null {
  if (profile.steer?.method === 'prompt') return 'prompt';
  return profile.steer?.method === 'extension' && hasExtension ? 'extension' : null;
}
