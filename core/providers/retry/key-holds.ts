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

/**
 * Until when requests on each key wait, so that runs on one key are held together (R8). One object per process; the core
 * joins processes: what `onHold` reports in one worker, it passes to `hold` of the others.
 */
export class KeyHolds {
  readonly #until = new Map<string, number>();
  readonly #onHold: OnHold;

  constructor(onHold: OnHold = () => undefined) {
    this.#onHold = onHold;
  }

  /** A hold that another process found. It only ever lengthens the wait. */
  hold(keyId: string, until: number): void {
    if (until > (this.#until.get(keyId) ?? 0)) this.#until.set(keyId, until);
  }

  /** A hold that this process found itself; reported if it is news. */
  found(bundle: ModelBundle, until: number): void {
    const keyId = keyIdOf(bundle);
    if (until <= (this.#until.get(keyId) ?? 0)) return;
    this.#until.set(keyId, until);
    this.#onHold(keyId, until);
  }

  /** Wall-clock milliseconds until which the key of a bundle is held; null when it is free at `now`. */
  heldUntil(bundle: ModelBundle, now: number): number | null {
    if (this.#until.size === 0) return null;
    const keyId = keyIdOf(bundle);
    const until = this.#until.get(keyId);
    if (until === undefined) return null;
    if (until > now) return until;
    this.#until.delete(keyId);
    return null;
  }
}
