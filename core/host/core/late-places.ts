import type { Clock } from '../../kit/clock.ts';
import type { ProcessIdentity } from '../../kit/process-tree/process-entry.ts';
import type { ProcessName } from '../../protocol/report.ts';

/** So long a place is held for what nobody can prove to have ended (R1). */
const LONGEST_MS = 20 * 60_000;
const LOOK_EVERY_MS = 5000;

/** What late places need. */
export interface LatePlacesDeps {
  readonly clock: Clock;
  /** Those of the processes that are still the same and alive. */
  living(identities: readonly ProcessIdentity[]): Promise<readonly ProcessIdentity[]>;
  /** The place goes back. */
  give(runId: string): void;
}

/**
 * The places of runs whose end is not proved (R1): what is left of one may be at work still. Each goes back when that is gone, or after 20 minutes; at
 * once where a core begins anew.
 */
export class LatePlaces {
  readonly #deps: LatePlacesDeps;
  readonly #held = new Map<string, () => void>();

  constructor(deps: LatePlacesDeps) {
    this.#deps = deps;
  }

  /** Runs whose place is held. */
  get size(): number {
    return this.#held.size;
  }

  /** Holds the place of an ended run. `left`: what survived it; of one that cannot be told from another process nobody can say when it is gone. */
  hold(runId: string, left: readonly ProcessName[]): void {
    if (this.#held.has(runId)) return;
    const { clock } = this.#deps;
    const known = left.flatMap(({ pid, started }) => (started === undefined ? [] : [{ pid, startTime: started }]));
    const canTell = left.length > 0 && known.length === left.length;
    const cancel = [
      clock.after(LONGEST_MS, () => this.#give(runId)),
      ...(canTell ? [clock.every(LOOK_EVERY_MS, () => void this.#look(runId, known))] : []),
    ];
    this.#held.set(runId, () => cancel.forEach((stop) => stop()));
  }

  /** The core goes; nothing is given back any more. */
  close(): void {
    for (const cancel of this.#held.values()) cancel();
    this.#held.clear();
  }

  async #look(runId: string, known: readonly ProcessIdentity[]): Promise<void> {
    const living = await this.#deps.living(known).catch(() => known); // The next look may do better.
    if (living.length === 0) this.#give(runId);
  }

  #give(runId: string): void {
    const cancel = this.#held.get(runId);
    if (cancel === undefined) return;
    cancel();
    this.#held.delete(runId);
    this.#deps.give(runId);
  }
}
