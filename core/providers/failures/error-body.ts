import { durationText } from './retry-after.ts';

/** What an error body says, whatever its dialect. */
export interface ErrorBody {
  readonly message: string;
  /** Lower-cased words of its `type`, `code`, `status` and `reason` fields. */
  readonly codes: readonly string[];
  /** A numeric code in the range of HTTP errors. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
}

/**
 * Reads the body of an error: `{error:{type|code|status, message}}` (Anthropic, OpenAI, Gemini), `[{error}]` (Gemini),
 * `{error:"text"}` (Ollama), `{message}`, `{detail}`, or plain text. A page of HTML says nothing and gives an empty message.
 */
export function readErrorBody(text: string): ErrorBody {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) {
    try {
      return readErrorValue(JSON.parse(trimmed));
    } catch {
      return { message: trimmed, codes: [], status: null, retryAfterMs: null };
    }
  }
  return { message: trimmed.startsWith('<') ? '' : trimmed, codes: [], status: null, retryAfterMs: null };
}

/** As {@link readErrorBody}, for a value that is parsed already. */
function readErrorValue(value: unknown): ErrorBody {
  const outer = record(Array.isArray(value) ? value[0] : value);
  const inner = innermost(outer);
  if (typeof inner === 'string') return { message: inner, codes: codesOf(outer), status: null, retryAfterMs: null };
  const error = record(inner) ?? {};
  const details = Array.isArray(error['details']) ? error['details'].map(record) : [];
  return {
    message: textOf(error['message']) || textOf(outer?.['message']) || readable(inner),
    codes: [error, ...details].flatMap(codesOf),
    status: httpStatus(error['code']) ?? httpStatus(error['status']),
    retryAfterMs: details.map((detail) => durationText(detail?.['retryDelay'])).find((ms) => ms !== null) ?? null,
  };
}

/**
 * The error that a frame of a good stream carries, or null: `{"type":"error",…}`, `{"error":{…}}` and `response.failed` end a
 * stream whatever follows (B08). An empty `error` is no error.
 */
export function streamError(frame: unknown): ErrorBody | null {
  const value = record(frame);
  if (!value) return null;
  if (value['type'] === 'response.failed') return readErrorValue(record(value['response']) ?? value);
  if (value['type'] === 'error') return readErrorValue(value);
  const error = value['error'];
  const present = typeof error === 'string' ? error.trim() !== '' : Object.keys(record(error) ?? {}).length > 0;
  return present ? readErrorValue(value) : null;
}

function innermost(outer: Record<string, unknown> | null): unknown {
  return outer?.['error'] ?? outer?.['detail'] ?? outer;
}

function codesOf(value: Record<string, unknown> | null): string[] {
  if (!value) return [];
  return ['type', 'code', 'status', 'reason']
    .map((name) => value[name])
    .filter((code): code is string => typeof code === 'string')
    .map((code) => code.toLowerCase());
}

function httpStatus(code: unknown): number | null {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readable(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

function record(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
