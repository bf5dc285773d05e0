import type { Random } from '../../kit/random.ts';

/** Loading `node:crypto` takes a worker a quarter of its whole start, and most never need it. */
function bytes(count: number): Buffer {
  return process.getBuiltinModule('node:crypto').randomBytes(count);
}

/** Cryptographically strong randomness that costs nothing until it is used. */
export const lazyRandom: Random = {
  hex: (length) =>
    bytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
  fraction: () => bytes(4).readUInt32BE(0) / 2 ** 32,
};
