import type { WaitReason } from '../../protocol/lifecycle.ts';
import { WAIT_REASONS } from '../../protocol/wait-reasons.ts';

/** What a run is at. */
export interface Stand {
  readonly state: 'running' | 'waiting';
  readonly reason: WaitReason | null;
  /** When the wait is over, if that is known: milliseconds since 1970. */
  readonly until: number | null;
}

const RUNNING: Stand = { state: 'running', reason: null, until: null };

/** Whether the run's time goes on (R7). */
function isActive({ state, reason }: Stand): boolean {
  return state === 'running' || (reason !== null && WAIT_REASONS[reason].active);
}

/** Who hears what a run is at. */
interface StandListener {
  /** News for the core. */
  readonly told: (stand: Stand) => void;
  /** Its time was going on until now: what was measured of it is to be told first (R7). */
  readonly stands: () => void;
  /** Whether the time counts as active (R7), and whether it waits. */
  readonly measured: (active: boolean, waits: boolean) => void;
}

/** What a run is at as the core knows it: told when it is news. While something lies over it (an ask, a pause) what the runner is at waits below. */
export class StandBook {
  readonly #listener: StandListener;
  #now: Stand = RUNNING;
  #below: Stand = RUNNING;

  constructor(listener: StandListener) {
    this.#listener = listener;
  }

  /** What the runner itself is at; told unless it is `covered`. */
  set(stand: Stand, covered: boolean): void {
    this.#below = stand;
    if (!covered) this.#tell(stand);
  }

  /** Something lies over it. `quiet`: the core knows that from something else that it is told; told twice it would flicker. */
  cover(stand: Stand, quiet = false): void {
    if (!quiet) return this.#tell(stand);
    this.#take(stand);
    this.#listener.stands();
  }

  /** Nothing lies over it any more. */
  uncover(): void {
    this.#tell(this.#below);
  }

  #tell(stand: Stand): void {
    const counted = isActive(this.#now);
    if (!this.#take(stand)) return;
    if (counted) this.#listener.stands();
    this.#listener.told(stand);
  }

  /** True when it is news. */
  #take(stand: Stand): boolean {
    const { state, reason, until } = this.#now;
    if (state === stand.state && reason === stand.reason && until === stand.until) return false;
    this.#now = stand;
    this.#listener.measured(isActive(stand), stand.state !== 'running');
    return true;
  }
}
