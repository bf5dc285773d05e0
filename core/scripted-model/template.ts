import { asText } from './json.ts';
import { firstUserText, lastToolResult, lastUserText, steeringText } from './model-request.ts';
import type { ModelRequest } from './model-request.ts';

/** Long enough for a steering sentence, short enough to be quoted inside another one. */
const QUOTE_LENGTH = 240;

const WORDS: Record<string, (request: ModelRequest) => string> = {
  first_user: firstUserText,
  last_user: lastUserText,
  last_tool_result: lastToolResult,
  steer: (request) => quotable(steeringText(request)),
  model: (request) => request.model,
};

/** Messages may come fenced as data; the tags are no part of what was said. */
const FENCE_TAG = /<\/?data-block\b[^>]*>/g;

/** The text on one line, cut to a length that reads well inside a sentence. */
function quotable(text: string): string {
  const line = text.replace(FENCE_TAG, ' ').replace(/\s+/g, ' ').trim();
  return line.length <= QUOTE_LENGTH ? line : `${line.slice(0, QUOTE_LENGTH - 1).trimEnd()}…`;
}

/** `messages.0.content` in the body; numbers index arrays, negative ones from the end. */
function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value.at(Number(key)) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }, body);
}

/**
 * Fills `{{first_user}}`, `{{last_user}}`, `{{last_tool_result}}`, `{{steer}}` (what the user said since the last turn,
 * on one line), `{{model}}` and `{{json:dotted.path.in.the.body}}`. Anything else in braces stays as it is.
 */
export function fillTemplate(text: string, request: ModelRequest): string {
  return text.replace(/\{\{\s*(json:)?([\w.-]+)\s*\}\}/g, (whole, json: string | undefined, word: string) => {
    if (json !== undefined) return asText(valueAt(request.body, word));
    return WORDS[word]?.(request) ?? whole;
  });
}

/** Fills the templates of every string in a value. */
export function fillTemplates(value: unknown, request: ModelRequest): unknown {
  if (typeof value === 'string') return fillTemplate(value, request);
  if (Array.isArray(value)) return value.map((member) => fillTemplates(member, request));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fillTemplates(member, request)]));
}
