import type { Clock } from '../../kit/clock.ts';
import type { Random } from '../../kit/random.ts';
import type { DesktopMessage, DesktopView, Notice, WorkNow } from '../../protocol/desktop.ts';
import type { FeedHub } from '../live/feed-hub.ts';
import { DesktopDriver, readWork, type DesktopSettings } from './desktop-driver.ts';

export interface DesktopWatchesDeps {
  readonly hub: Pick<FeedHub, 'listen' | 'snapshot'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: () => DesktopSettings;
  /** Masks known secrets. */
  readonly redact: (text: string) => string;
}

/** Desktops that one core tells; one is usual. */
const MOST = 16;
/** Notices that wait for a desktop that takes none; older ones are no news any more. */
const MOST_WAITING = 100;

/** Has desktops of this and of other processes tell and show what the core commits. What they tell is decided here. */
export class DesktopWatches {
  readonly #deps: DesktopWatchesDeps;
  readonly #open = new Map<string, Watch>();

  constructor(deps: DesktopWatchesDeps) {
    this.#deps = deps;
  }

  /** Begins to tell one more; null when there are too many. Ends by `return`, or when `signal` is aborted. */
  open(signal?: AbortSignal): AsyncGenerator<DesktopMessage, undefined, undefined> | null {
    if (this.#open.size >= MOST) return null;
    const id = `desk_${this.#deps.random.hex(12)}`;
    const watch = new Watch(id, this.#deps, () => this.#open.delete(id));
    this.#open.set(id, watch);
    const end = (): void => void watch.return();
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
    return watch;
  }

  /** Takes what is on screen in a window with the focus; false for a watch that has ended. */
  looks(id: string, conversationId: string | null): boolean {
    const watch = this.#open.get(id);
    if (watch !== undefined) watch.looksAt = conversationId;
    return watch !== undefined;
  }

  work(): Promise<WorkNow> {
    return readWork(this.#deps);
  }
}

/** One desktop's line. */
class Watch implements AsyncGenerator<DesktopMessage, undefined, undefined> {
  looksAt: string | null = null;
  readonly #notices: Notice[] = [];
  readonly #driver: Promise<DesktopDriver>;
  readonly #ended: () => void;
  #hello: string | null;
  #view: DesktopView | null = null;
  #isOver = false;
  #failure: unknown = null;
  #wake = Promise.withResolvers<undefined>();

  constructor(id: string, { hub, clock, settings, redact }: DesktopWatchesDeps, ended: () => void) {
    this.#hello = id;
    this.#ended = ended;
    const notify = (notice: Notice): void => {
      this.#notices.push(notice);
      if (this.#notices.length > MOST_WAITING) this.#notices.shift();
      this.#wake.resolve(undefined);
    };
    const show = (view: DesktopView): void => {
      this.#view = view;
      this.#wake.resolve(undefined);
    };
    const shell = { notify, show, looksAt: () => this.looksAt };
    this.#driver = DesktopDriver.start({ hub, clock, settings, redact, shell });
    this.#driver.catch((error: unknown) => {
      // Whoever asks for the next message sees it.
      this.#failure = error;
      this.#wake.resolve(undefined);
    });
  }

  async next(): Promise<IteratorResult<DesktopMessage, undefined>> {
    for (;;) {
      if (this.#isOver) return { value: undefined, done: true };
      if (this.#failure !== null) return this.throw(this.#failure);
      const message = this.#take();
      if (message !== null) return { value: message, done: false };
      this.#wake = Promise.withResolvers<undefined>();
      await this.#wake.promise;
    }
  }

  #take(): DesktopMessage | null {
    if (this.#hello !== null) {
      const watch_id = this.#hello;
      this.#hello = null;
      return { type: 'hello', watch_id };
    }
    const notice = this.#notices.shift();
    if (notice !== undefined) return { type: 'notice', notice };
    const view = this.#view;
    this.#view = null;
    return view === null ? null : { type: 'view', view };
  }

  async return(): Promise<IteratorResult<DesktopMessage, undefined>> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#ended();
      this.#wake.resolve(undefined);
      await this.#driver.then(
        (driver) => driver.close(),
        () => undefined,
      );
    }
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
