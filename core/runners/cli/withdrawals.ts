/** What an agent asked for and may take back, by its own id of the request. */
export class Withdrawals {
  readonly #open = new Map<string, AbortController>();

  /** A request has come; aborted when it is withdrawn. */
  open(id: string): AbortSignal {
    const controller = new AbortController();
    this.#open.set(id, controller);
    return controller.signal;
  }

  /** The agent waits for no answer any more. */
  withdraw(id: string): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }
}
