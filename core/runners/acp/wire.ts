/* What agents say is read leniently: another version, or another agent, may say more, less, or something of another kind. */

/** Fields of an object that somebody else made. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value; none when it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A text that is not empty, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A finite number, or null. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Each member of a list as fields; none when it is no list. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** A value as text for people: texts as they are, all else as JSON. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The text of a content block of the protocol; what is no text is named. */
export function blockText(block: unknown): string {
  const { type, text, resource, uri, name } = fieldsOf(block);
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (type === 'resource')
    return textOf(fieldsOf(resource)['text']) ?? `[${textOf(fieldsOf(resource)['uri']) ?? 'resource'}]`;
  if (type === 'resource_link') return `[${textOf(name) ?? textOf(uri) ?? 'link'}]`;
  return textOf(type) === null ? '' : `[${String(type)}]`;
}
