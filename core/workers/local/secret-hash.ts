import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a token or secret, hexadecimal: what rows hold instead of it. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether the secret is the one that was hashed; takes the same time for every wrong one. */
export function hasHash(secret: string, hash: string): boolean {
  const shown = Buffer.from(secretHash(secret), 'hex');
  const expected = Buffer.from(hash, 'hex');
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}
