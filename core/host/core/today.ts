import type { CancelTimer, Clock } from '../../kit/clock.ts';
import { addAmounts, type DayFigures } from '../../delegation/budget.ts';
import { localDay, sumUsage, untilNextDay } from '../../delegation/day-usage.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';

export interface TodayDeps {
  readonly clock: Clock;
  engines(): readonly ProjectEngine[];
  /** What today has cost is another figure than it was, or the day is another one. */
  changed(): void;
}

// A clock that jumps, or a machine that sleeps over midnight, is noticed within this.
const LOOK_EVERY_MS = 15 * 60_000;

// People read it; no more often than this.
const TELL_AFTER_MS = 500;

/** What all projects have used on the present local calendar day (R5). */
export class Today {
  readonly #deps: TodayDeps;
  #day: string;
  #told: number | null = null;
  #cancelLook: CancelTimer = () => undefined;
  #cancelTell: CancelTimer | null = null;

  constructor(deps: TodayDeps) {
    this.#deps = deps;
    this.#day = localDay(deps.clock.now());
    this.#look();
  }

  get day(): string {
    return localDay(this.#deps.clock.now());
  }

  /** Throws when a database cannot be read. */
  figures(): DayFigures {
    const all = this.#deps.engines().map((engine) => engine.dayFigures(this.day));
    return {
      spent: sumUsage(all.map(({ spent }) => spent)),
      held: all.reduce((sum, { held }) => addAmounts(sum, held), { cost_usd: 0, tokens: 0 }),
    };
  }

  /** USD; null while a part of it is unknown, or cannot be read. */
  get cost(): number | null {
    try {
      const { spent } = this.figures();
      return spent.unknown ? null : spent.cost_usd;
    } catch {
      return null; // The banner says what is wrong with the storage.
    }
  }

  /** Something was committed. */
  look(): void {
    this.#cancelTell ??= this.#deps.clock.after(TELL_AFTER_MS, () => {
      this.#cancelTell = null;
      const { cost } = this;
      if (cost === this.#told) return;
      this.#told = cost;
      this.#deps.changed();
    });
  }

  close(): void {
    this.#cancelLook();
    this.#cancelTell?.();
    // Nothing is told any more.
    this.#cancelTell = () => undefined;
  }

  #look(): void {
    const { clock, changed } = this.#deps;
    this.#cancelLook = clock.after(Math.min(untilNextDay(clock.now()), LOOK_EVERY_MS), () => {
      const { day } = this;
      const isNew = day !== this.#day;
      this.#day = day;
      if (isNew) changed();
      this.#look();
    });
  }
}
