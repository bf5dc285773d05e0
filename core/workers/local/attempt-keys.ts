import type { Random } from '../../kit/random.ts';
import { hasHash, secretHash } from './secret-hash.ts';

/**
 * What a worker must show to be taken for an attempt's own: first the token of its start, which is good for one connection; from then on the secret
 * that it got for it. Both are kept as hashes; the secret itself only until it is handed over.
 */
export class AttemptKeys {
  #token: string | null;
  #secret: string | null;
  #unsent: string | null = null;

  /** @param hashes of what was given out before; null for what was not */
  constructor(hashes: { readonly token: string | null; readonly secret: string | null }) {
    this.#token = hashes.token;
    this.#secret = hashes.secret;
  }

  /** The secret for the welcome; null when the worker has it. */
  get unsent(): string | null {
    return this.#unsent;
  }

  isSecret(shown: string): boolean {
    return this.#secret !== null && hasHash(shown, this.#secret);
  }

  /** Whether it is the token; if so it is spent. */
  spendToken(shown: string): boolean {
    if (this.#token === null || !hasHash(shown, this.#token)) return false;
    this.#token = null;
    return true;
  }

  /** Makes the secret, and gives it to be stored. */
  makeSecret(random: Random): string {
    this.#token = null;
    const secret = random.hex(64);
    this.#unsent = secret;
    this.#secret = secretHash(secret);
    return secret;
  }

  sent(): void {
    this.#unsent = null;
  }

  /** From now on nothing that is shown is right. */
  revoke(): void {
    this.#token = null;
    this.#secret = null;
  }
}
