import type { RunnerPort } from '../../contract.ts';

/** Tells the core when a run does nothing but wait for its children: it holds no place meanwhile (R1). */
export class InFlight {
  readonly #port: RunnerPort;
  #working = 0;
  #waiting = 0;
  #told = false;

  constructor(port: RunnerPort) {
    this.#port = port;
  }

  /** Does `work`, which keeps the run busy. */
  work<T>(work: () => Promise<T>): Promise<T> {
    return this.#during(work, (change) => (this.#working += change));
  }

  /** Does `work`, which only waits for children. */
  wait<T>(work: () => Promise<T>): Promise<T> {
    return this.#during(work, (change) => (this.#waiting += change));
  }

  async #during<T>(work: () => Promise<T>, count: (change: 1 | -1) => void): Promise<T> {
    count(1);
    // The work goes first: a call is known to the core before the state that it explains.
    const begun = work();
    this.#tell();
    try {
      return await begun;
    } finally {
      count(-1);
      this.#tell();
    }
  }

  #tell(): void {
    const onlyWaits = this.#waiting > 0 && this.#working === 0;
    if (onlyWaits === this.#told || this.#port.stop.aborted) return;
    this.#told = onlyWaits;
    if (onlyWaits) this.#port.state('waiting', 'children');
    else this.#port.state('running');
  }
}
