/** A wait that ended because the reply, not the gate, is over. */
const ABORTED = 'aborted';

interface Gate {
  open: boolean;
  /** Releases that nobody has used yet. */
  permits: number;
  readonly waiting: Set<() => void>;
}

/** Named points at which scripted replies wait for a test. */
export class Gates {
  readonly #gates = new Map<string, Gate>();
  readonly #arrivals = new Map<string, (() => void)[]>();

  /** Waits until the gate is released, or rejects with the signal's reason. */
  async pass(name: string, signal: AbortSignal): Promise<void> {
    const gate = this.#gate(name);
    if (gate.open) return;
    if (gate.permits > 0) {
      gate.permits -= 1;
      return;
    }
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        gate.waiting.delete(pass);
        reject(signal.reason instanceof Error ? signal.reason : new Error(ABORTED));
      };
      const pass = (): void => {
        signal.removeEventListener('abort', onAbort);
        gate.waiting.delete(pass);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      gate.waiting.add(pass);
      for (const arrived of this.#arrivals.get(name)?.splice(0) ?? []) arrived();
    });
  }

  /** Opens the gate for good, or lets `count` replies through: those waiting in order of arrival, then later ones. */
  release(name: string, count?: number): void {
    const gate = this.#gate(name);
    if (count === undefined) gate.open = true;
    else gate.permits += count;
    for (const pass of [...gate.waiting]) {
      if (!gate.open && gate.permits === 0) break;
      if (!gate.open) gate.permits -= 1;
      pass();
    }
  }

  /** How many replies wait at the gate now. */
  waiting(name: string): number {
    return this.#gates.get(name)?.waiting.size ?? 0;
  }

  /** Resolves as soon as at least `count` replies wait at the gate. */
  async arrived(name: string, count = 1): Promise<void> {
    while (this.waiting(name) < count) {
      await new Promise<void>((resolve) => {
        this.#arrivals.set(name, [...(this.#arrivals.get(name) ?? []), resolve]);
      });
    }
  }

  #gate(name: string): Gate {
    const known = this.#gates.get(name);
    if (known !== undefined) return known;
    const gate: Gate = { open: false, permits: 0, waiting: new Set() };
    this.#gates.set(name, gate);
    return gate;
  }
}
