import { randomBytes } from 'node:crypto';

/** Randomness, injected so that tests can script ids and jitter. */
export interface Random {
  /** `length` lowercase hexadecimal characters. */
  hex(length: number): string;
  /** A number in [0, 1). */
  fraction(): number;
}

/** Cryptographically strong randomness. */
export const systemRandom: Random = {
  hex: (length) =>
    randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
  fraction: () => randomBytes(4).readUInt32BE(0) / 2 ** 32,
};
