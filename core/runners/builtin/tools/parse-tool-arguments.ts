import { err, ok, type Result } from '../../../kit/result.ts';

/** Arguments that cannot be used; `raw` is what the model sent, for the transcript. */
export interface ArgumentsFault {
  /** `cut`: the text stops before its end (token limit, broken stream). */
  readonly code: 'cut' | 'not_json' | 'not_object';
  /** For the model: what was wrong and what to do. */
  readonly message: string;
  readonly raw: string;
}

export interface ParseOptions {
  /** The tool has no parameter at all: then an empty text is an empty object (some providers send nothing). */
  readonly parameterless?: boolean;
}

/**
 * Parses the arguments of a tool call exactly as JSON; nothing is repaired, so a call can never run with less than the model meant.
 */
export function parseToolArguments(
  raw: string,
  options: ParseOptions = {},
): Result<Record<string, unknown>, ArgumentsFault> {
  const fault = (code: ArgumentsFault['code'], message: string) => err({ code, message, raw });
  if (raw.trim() === '') {
    if (options.parameterless === true) return ok({});
    return fault('cut', 'The call came without arguments. Nothing was run. Send it again with all required arguments.');
  }
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (isCut(raw, reason)) {
      return fault(
        'cut',
        `The arguments were cut off after ${raw.length} characters, so nothing was run. Send the call again, whole; if it was too long, do the work in smaller calls.`,
      );
    }
    return fault(
      'not_json',
      `The arguments were not valid JSON (${reason}), so nothing was run. Send the call again with valid JSON.`,
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault(
      'not_object',
      'The arguments must be one JSON object with named fields, so nothing was run. Send the call again.',
    );
  }
  return ok(value as Record<string, unknown>);
}

/** Whether the parser was stopped by the end of the text, and not by something in it. */
function isCut(raw: string, reason: string): boolean {
  if (/end of JSON input|Unterminated string/.test(reason)) return true;
  const position = / at position (\d+)/.exec(reason)?.[1];
  return position !== undefined && Number(position) >= raw.trimEnd().length;
}
