import type { ApiClient } from '../core/host/serve/local-connection.ts';
import { delay, systemClock } from '../core/kit/clock.ts';
import type { DesktopMessage } from '../core/protocol/desktop.ts';

type Live = Pick<ApiClient['live'], 'desktop' | 'looks'>;

export interface WatchParts {
  hear(message: DesktopMessage): void;
  /** The conversation that is on screen in a window with the focus; null for none. */
  looksAt(): string | null;
}

/** After a line that broke while its core is there. */
const AGAIN_MS = 1_000;

/** Hears what a core tells the desktop, and tells it what is on screen. */
export class CoreWatch {
  readonly #parts: WatchParts;
  #ending = new AbortController();
  #line: { readonly live: Live; readonly watch_id: string } | null = null;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Hears this core from now on, and no other. */
  follow(live: Live): void {
    this.stop();
    this.#ending = new AbortController();
    void this.#hear(live, this.#ending.signal);
  }

  stop(): void {
    this.#ending.abort();
    this.#line = null;
  }

  looksChanged(): void {
    const line = this.#line;
    if (line === null) return;
    const told = line.live.looks({ watch_id: line.watch_id, conversation_id: this.#parts.looksAt() });
    // A line that has ended meanwhile: the next one begins with it.
    told.catch(() => undefined);
  }

  async #hear(live: Live, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const message of await live.desktop(undefined, { signal })) {
          if (message.type === 'hello') {
            this.#line = { live, watch_id: message.watch_id };
            this.looksChanged();
          }
          this.#parts.hear(message);
        }
      } catch {
        // The core went, or refused: it is asked again until another one is followed.
      }
      if (!signal.aborted) await delay(systemClock, AGAIN_MS);
    }
  }
}
