/** Of the same thing measured several times. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Minimum, median and maximum; throws without a value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => {
    const value = sorted[index];
    if (value === undefined) throw new Error('nothing was measured');
    return value;
  };
  const middle = (sorted.length - 1) / 2;
  return { min: at(0), median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, max: at(sorted.length - 1) };
}
