import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { PoolContext } from './pool-context.ts';
import type { WorkerConnection } from './worker-connection.ts';

/** What a watch is told. */
export interface SilenceWatchOptions {
  readonly clock: Clock;
  readonly pingMs: number;
  /** So long a worker may be silent although it is asked. */
  readonly limitMs: number;
  /** Asks the worker for a sign of life; false when it cannot hear us now, or we do not listen, which is no silence of its own. */
  ask(): boolean;
  /** It was silent for too long. */
  onSilent(seconds: number): void;
}

/**
 * Watches whether anything comes from a worker at all (R7): one that is frozen, or whose loop is blocked, tells nothing of that itself. Only
 * time in which we ran counts: a tick that comes late, after sleep or a SIGSTOP of ours, counts as one (B45).
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #silentMs = 0;
  #cancel: CancelTimer;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
    this.#cancel = this.#next();
  }

  /** Something came. */
  heard(): void {
    this.#silentMs = 0;
  }

  close(): void {
    this.#cancel();
  }

  #next(): CancelTimer {
    const { clock, pingMs, limitMs, ask, onSilent } = this.#options;
    return clock.after(pingMs, () => {
      this.#silentMs += pingMs;
      if (this.#silentMs > limitMs) return onSilent(Math.round(limitMs / 1000));
      if (!ask()) this.heard();
      this.#cancel = this.#next();
    });
  }
}

/** Idle limit of a worker whose assignment nobody has here, seconds: the usual one (R7). */
const USUAL_IDLE_SECONDS = 450;

/** The core's end of a worker: `isFull` while we do not listen, because what we have is not committed. */
interface Hearer {
  connection(): WorkerConnection | null;
  isFull(): boolean;
}

/** Watches a worker for its idle limit and some time more; `onSilent` gets the reason of its end in words. */
export function watchSilence(
  { clock, timings }: Pick<PoolContext, 'clock' | 'timings'>,
  idleSeconds: number | null,
  { connection, isFull }: Hearer,
  onSilent: (words: string) => void,
): SilenceWatch {
  return new SilenceWatch({
    clock,
    pingMs: timings.pingMs,
    limitMs: (idleSeconds ?? USUAL_IDLE_SECONDS) * 1000 + timings.silenceMs,
    ask: () => {
      const open = connection();
      if (open?.isOpen !== true || isFull()) return false;
      open.send({ type: 'ping', at: clock.now() });
      return true;
    },
    onSilent: (seconds) =>
      onSilent(
        `Nothing came from its worker for ${seconds} s: it was frozen, or busy with something that never ended.`,
      ),
  });
}
