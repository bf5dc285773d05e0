import type { Clock } from '../../kit/clock.ts';
import type { ModelBundle } from '../models/bundle.ts';

/** Called when a provider asked this process to wait: tell the other runs on the key. `until` is wall-clock milliseconds. */
export type OnHold = (keyId: string, until: number) => void;

/** Names the key of a bundle without telling it: runs with the same name share the provider's limits. */
export function keyIdOf(bundle: ModelBundle): string {
  const parts = [bundle.baseUrl, bundle.key ?? '', bundle.headers['authorization'] ?? ''];
  // Loaded here only: it takes a worker a fifth of its start, and most are never asked to wait.
  return process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(parts.join('\n'))
    .digest('hex')
    .slice(0, 16);
}

/** R8: no wait that a provider asks for is longer than 15 minutes, with some room for the spread. A longer hold tells of a clock that was set. */
const LONGEST_MS = 16 * 60_000;

/**
 * Until when requests on each key wait, so that runs on one key are held together (R8). One object per process; the core
 * joins processes: what `onHold` reports in one worker, it passes to `hold` of the others. Counted on the monotonic clock: a wall
 * clock that is set meanwhile neither cuts a wait short nor makes hours of it.
 */
export class KeyHolds {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #until = new Map<string, number>();
  readonly #onHold: OnHold;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, onHold: OnHold = () => undefined) {
    this.#clock = clock;
    this.#onHold = onHold;
  }

  /** A hold that another process found, until a time of the wall clock. It only ever lengthens the wait; tells whether it did. */
  hold(keyId: string, until: number): boolean {
    const end = this.#clock.monotonic() + Math.min(until - this.#clock.now(), LONGEST_MS);
    if (end <= (this.#until.get(keyId) ?? this.#clock.monotonic())) return false;
    this.#until.set(keyId, end);
    return true;
  }

  /** A hold of so many milliseconds that this process found itself; reported if it is news. */
  found(bundle: ModelBundle, ms: number): void {
    const keyId = keyIdOf(bundle);
    const until = this.#clock.now() + ms;
    if (this.hold(keyId, until)) this.#onHold(keyId, until);
  }

  /** Milliseconds for which the key of a bundle is held still; null when it is free. */
  heldFor(bundle: ModelBundle): number | null {
    if (this.#until.size === 0) return null;
    const keyId = keyIdOf(bundle);
    const until = this.#until.get(keyId);
    if (until === undefined) return null;
    const left = until - this.#clock.monotonic();
    if (left > 0) return left;
    this.#until.delete(keyId);
    return null;
  }

  /** All keys that are held, until when by the wall clock as it is now. */
  get open(): { readonly key_id: string; readonly until: number }[] {
    const now = this.#clock.monotonic();
    for (const [keyId, until] of this.#until) if (until <= now) this.#until.delete(keyId);
    return [...this.#until].map(([key_id, until]) => ({ key_id, until: this.#clock.now() + until - now }));
  }
}
