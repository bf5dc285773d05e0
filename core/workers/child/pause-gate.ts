/** Where a run waits at a safe boundary: while it is paused (R9), or while what it tells cannot be stored. */
export class PauseGate {
  readonly #parts: { readonly waits: (reason: 'paused' | 'storage') => void; readonly goesOn: () => void };
  #paused = false;
  #noRoom = false;
  #held: PromiseWithResolvers<void>[] = [];

  /** @param parts told when somebody begins to wait, and when those that waited go on */
  constructor(parts: { readonly waits: (reason: 'paused' | 'storage') => void; readonly goesOn: () => void }) {
    this.#parts = parts;
  }

  get isClosed(): boolean {
    return this.#paused || this.#noRoom;
  }

  set paused(paused: boolean) {
    this.#paused = paused;
    this.#open();
  }

  set noRoom(noRoom: boolean) {
    this.#noRoom = noRoom;
    this.#open();
  }

  /** Resolves at once, or when nothing holds any more; rejects when the run is told to end. */
  pass(): Promise<void> {
    if (!this.isClosed) return Promise.resolve();
    this.#parts.waits(this.#paused ? 'paused' : 'storage');
    const held = Promise.withResolvers<void>();
    this.#held.push(held);
    return held.promise;
  }

  /** Whoever waits does so no more. */
  giveUp(reason: Error): void {
    for (const { reject } of this.#held.splice(0)) reject(reason);
  }

  #open(): void {
    if (this.isClosed) return;
    const held = this.#held.splice(0);
    if (held.length > 0) this.#parts.goesOn();
    for (const { resolve } of held) resolve();
  }
}
