import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { WorkerEvent } from '../../protocol/frames.ts';
import type { Progress } from '../../protocol/report.ts';

/** Text waits so long for more of it: one frame of screen time. */
const DELTA_MS = 16;

/** Text of one entry that waits; more goes at once. UTF-16 units. */
const DELTA_UNITS = 4096;

/** Counters and activity are for people to read; the last of this time is enough. */
const NEWS_MS = 100;

/** Longest text in one frame, UTF-16 units; six bytes is the most that one takes as JSON. */
export const PIECE_UNITS = 1_000_000;

interface PendingText {
  offset: number;
  text: string;
}

/**
 * Gathers what comes in small pieces (text of entries, counters, activity) into fewer events, and keeps all in the order in which it
 * happened: whatever else is told goes after what was gathered before it.
 */
export class EventBatch {
  readonly #clock: Clock;
  readonly #push: (event: WorkerEvent) => void;
  readonly #texts = new Map<number, PendingText>();
  #progress: Progress | null = null;
  #activity: string | null = null;
  #toldProgress = '';
  #toldActivity = '';
  #cancelText: CancelTimer | null = null;
  #cancelNews: CancelTimer | null = null;

  constructor(clock: Clock, push: (event: WorkerEvent) => void) {
    this.#clock = clock;
    this.#push = push;
  }

  /** Text for an open entry; `offset` is where it begins in that entry. */
  append(entry: number, offset: number, text: string): void {
    const pending = this.#texts.get(entry);
    if (pending === undefined) this.#texts.set(entry, { offset, text });
    else pending.text += text;
    if ((pending?.text.length ?? text.length) >= DELTA_UNITS) this.#flushText(entry);
    else this.#cancelText ??= this.#clock.after(DELTA_MS, () => this.#flushTexts());
  }

  progress(progress: Progress): void {
    this.#progress = progress;
    this.#newsLater();
  }

  activity(text: string): void {
    this.#activity = text;
    this.#newsLater();
  }

  /** Tells an event after everything that was gathered. */
  tell(event: WorkerEvent): void {
    this.#flushTexts();
    if (event.type !== 'entry' && event.type !== 'entry_end' && event.type !== 'entry_meta') this.#flushNews();
    this.#push(event);
  }

  /** Tells everything that was gathered. */
  flush(): void {
    this.#flushTexts();
    this.#flushNews();
  }

  #flushTexts(): void {
    this.#cancelText?.();
    this.#cancelText = null;
    for (const entry of this.#texts.keys()) this.#flushText(entry);
  }

  #flushText(entry: number): void {
    const pending = this.#texts.get(entry);
    if (pending === undefined) return;
    this.#texts.delete(entry);
    for (let at = 0; at < pending.text.length; at += PIECE_UNITS) {
      const text = pending.text.slice(at, at + PIECE_UNITS);
      this.#push({ type: 'delta', entry, offset: pending.offset + at, text });
    }
  }

  #newsLater(): void {
    this.#cancelNews ??= this.#clock.after(NEWS_MS, () => this.#flushNews());
  }

  #flushNews(): void {
    this.#cancelNews?.();
    this.#cancelNews = null;
    const progress = this.#progress;
    const activity = this.#activity;
    this.#progress = null;
    this.#activity = null;
    if (progress !== null && JSON.stringify(progress) !== this.#toldProgress) {
      this.#toldProgress = JSON.stringify(progress);
      this.#push({ type: 'progress', progress });
    }
    if (activity !== null && activity !== this.#toldActivity) {
      this.#toldActivity = activity;
      this.#push({ type: 'activity', text: activity });
    }
  }
}
