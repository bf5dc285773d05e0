import { runStrings } from '../../shared/run-strings.ts';

/** A value without members, as JSON; a text as itself, because quotes and escapes hide what people look for. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  return JSON.stringify(value) ?? 'undefined';
}

/** `3 items` or `2 keys`. */
export function jsonSize(value: object): string {
  const size = Object.keys(value).length;
  return Array.isArray(value) ? runStrings.result.items(size) : runStrings.result.keys(size);
}
