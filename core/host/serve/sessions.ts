import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../kit/random.ts';

/** Compares without telling by its time how much was right. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * Who may use the API over HTTP: whoever traded the token of this launch for a cookie. A cookie proves itself by the token, so that a page that is open
 * is let in also by the process that takes the listener over with the same one.
 */
export class Sessions {
  /** The token of this launch; never stored, never logged. */
  readonly token: string;
  readonly #random: Random;

  constructor(random: Random, token: string = random.hex(64)) {
    this.token = token;
    this.#random = random;
  }

  /** A new cookie's value for who knows the token, else null. */
  begin(token: string): string | null {
    if (!isSame(token, this.token)) return null;
    const name = this.#random.hex(32);
    return `${name}.${this.#proofOf(name)}`;
  }

  /** Whether a cookie's value was given out for this token. */
  has(cookie: string): boolean {
    const [name = '', proof = ''] = cookie.split('.');
    return isSame(proof, this.#proofOf(name));
  }

  #proofOf(name: string): string {
    return createHmac('sha256', this.token).update(`session ${name}`).digest('hex');
  }
}
