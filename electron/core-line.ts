import { delay } from '../core/kit/clock.ts';
import { ok, type Result } from '../core/kit/result.ts';
import { openCore, type CoreAccess, type OpenError } from './open-core.ts';

/** A core that may end without us: one that another process hosts. */
export interface EndingCore {
  /** Resolves when it is gone. */
  readonly closed: Promise<void>;
}

/** Between two looks for a core that cannot be opened just now. */
const AGAIN_MS = 1_000;

/**
 * The core that the desktop shows. When one that another process hosted is gone, its place is taken: by the next core of the data folder, or by one in
 * this process, so that a window never stands before nothing.
 */
export class CoreLine<Core extends EndingCore> {
  readonly #access: CoreAccess<Core>;
  #core: Core;
  #next: Promise<Core> | null = null;
  #isClosed = false;
  #taken: (core: Core) => void = () => undefined;

  private constructor(access: CoreAccess<Core>, core: Core) {
    this.#access = access;
    this.#core = core;
    this.#watch();
  }

  static async open<Core extends EndingCore>(access: CoreAccess<Core>): Promise<Result<CoreLine<Core>, OpenError>> {
    const opened = await openCore(access);
    return opened.ok ? ok(new CoreLine(access, opened.value)) : opened;
  }

  /** The core as of now; it may be the one that has just gone. */
  get core(): Core {
    return this.#core;
  }

  /** The core, once there is one. */
  async whenOpen(): Promise<Core> {
    return this.#next ?? this.#core;
  }

  /** Calls `taken` whenever another core has taken the place of one that has gone. */
  onTaken(taken: (core: Core) => void): void {
    this.#taken = taken;
  }

  /** No other core takes the place of this one any more. */
  end(): void {
    this.#isClosed = true;
  }

  #watch(): void {
    void this.#core.closed.then(() => {
      if (!this.#isClosed) this.#next = this.#open();
    });
  }

  async #open(): Promise<Core> {
    for (; !this.#isClosed; await delay(this.#access.clock, AGAIN_MS)) {
      const opened = await openCore(this.#access);
      if (!opened.ok) {
        console.error(`no core yet: ${opened.error.message}`);
        continue;
      }
      this.#core = opened.value;
      this.#next = null;
      this.#watch();
      this.#taken(this.#core);
      break;
    }
    return this.#core;
  }
}
