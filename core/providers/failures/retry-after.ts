/** A wait of more than a year is no wait but a mistake of the server; it counts as unreadable (R8). */
const ABSURD_MS = 366 * 24 * 3600 * 1000;

/**
 * How long a reply asks us to wait, in milliseconds from `now`, or null (R8). Reads `retry-after-ms`, then `Retry-After` in
 * seconds or as an HTTP date (RFC 9110 §10.2.3). Negative, unreadable and absurd values count as absent. A date is one of the server's
 * clock, and told by that: ours may be hours off (B42).
 */
export function retryAfter(headers: Readonly<Record<string, string | undefined>>, now: number): number | null {
  return (
    sane(plainNumber(headers['retry-after-ms'])) ??
    sane(seconds(headers['retry-after'])) ??
    sane(until(headers['retry-after'], httpDate(headers['date']) ?? now))
  );
}

/** A protobuf duration as text (`34.5s`), as Gemini's RetryInfo gives it, in milliseconds; null when it is none. */
export function durationText(text: unknown): number | null {
  const match = typeof text === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(text) : null;
  return match ? sane(Number(match[1]) * 1000) : null;
}

function sane(ms: number | null): number | null {
  return ms === null || !Number.isFinite(ms) || ms < 0 || ms > ABSURD_MS ? null : Math.ceil(ms);
}

function plainNumber(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}

function seconds(text: string | undefined): number | null {
  const value = plainNumber(text);
  return value === null ? null : value * 1000;
}

function until(text: string | undefined, now: number): number | null {
  const time = httpDate(text);
  return time === null ? null : time - now;
}

/** Only texts that begin with a day's name: `Date.parse` would read almost anything else as some date. */
function httpDate(text: string | undefined): number | null {
  if (text === undefined || !/^\s*(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return null;
  const time = Date.parse(/gmt|utc/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : time;
}
