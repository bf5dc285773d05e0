/** A JSON object whose members nobody has checked yet. */
export type Json = Readonly<Record<string, unknown>>;

/** The value as an object, or an empty one. */
export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The objects of an array; nothing else. */
export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}

/** The value if it is a string, else an empty one. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value if it is a whole count, else 0. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

/** The number, or null. */
export function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** All text of content blocks, or the value itself if it is a string. */
export function blockText(value: unknown): string {
  if (typeof value === 'string') return value;
  return objects(value)
    .map((block) => text(block['text']))
    .filter((part) => part !== '')
    .join('\n');
}
