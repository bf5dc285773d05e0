const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const short = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A size on disk in steps of 1,000: `0 B`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${short.format(value)} ${UNITS[unit] ?? ''}`;
}
