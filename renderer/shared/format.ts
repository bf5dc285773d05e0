const money = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const whole = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const calendarDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const clockTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const clockSeconds = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Seconds after which a duration is said in minutes (L5). */
const MINUTES_FROM = 120;

/** A duration: `41s`, `108s`, `22m`, `3h 12m` (L5: from two minutes on in minutes). Input in seconds. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTES_FROM) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 120) return `${minutes}m`;
  const rest = minutes % 60;
  return rest === 0 ? `${minutes / 60}h` : `${Math.floor(minutes / 60)}h ${rest}m`;
}

/** USD; an unknown cost is an empty text, never 0 (R5). Under a cent, but not nothing, it reads `<$0.01`. */
export function formatMoney(usd: number | null): string {
  if (usd === null) return '';
  if (usd > 0 && usd < 0.005) return `<${money.format(0.01)}`;
  return money.format(usd);
}

/** A count of tokens: `840`, `184k`, `2.1M`. */
export function formatTokens(tokens: number): string {
  return compact.format(tokens).replace('K', 'k');
}

/** A time of day: `14:27`. Input in epoch milliseconds. */
export function formatTime(at: number): string {
  return clockTime.format(at);
}

/** A time of day with seconds, for the clock of the strip. */
export function formatClock(at: number): string {
  return clockSeconds.format(at);
}

/** A calendar day: `Nov 30, 2026`. Input as the core names it, `2026-11-30`. */
export function formatDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return calendarDay.format(new Date(year, month - 1, date));
}

/** How long ago, in the unit that fits: `4m`, `3h`, `2d`; `now` under a minute. Both in epoch milliseconds. */
export function formatAge(at: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - at) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** A whole number, grouped by the locale: `1,204`. */
export function formatCount(count: number): string {
  return whole.format(count);
}
