import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../kit/random.ts';

/** Browsers that may be let in at once; the oldest goes when there are more. */
const MAX_SESSIONS = 64;

/** Compares without telling by its time how much was right. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** Who may use the API over HTTP: whoever traded the token of this launch for a cookie. */
export class Sessions {
  /** The token of this launch; never stored, never logged. */
  readonly token: string;
  readonly #random: Random;
  readonly #cookies: string[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.token = random.hex(64);
  }

  /** A new cookie's value for who knows the token, else null. */
  begin(token: string): string | null {
    if (!isSame(token, this.token)) return null;
    const cookie = this.#random.hex(64);
    this.#cookies.push(cookie);
    if (this.#cookies.length > MAX_SESSIONS) this.#cookies.shift();
    return cookie;
  }

  /** Whether a cookie's value was given out by this launch. */
  has(cookie: string): boolean {
    // All are compared, so that the time tells nothing either.
    return this.#cookies.map((known) => isSame(known, cookie)).includes(true);
  }
}
