import { isRecord, type TaskFields } from './draft.ts';

/** A field as text; what is no text is shown as JSON, so that it can be seen and mended. */
export function textOf(task: TaskFields, field: string): string {
  const value = task[field];
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The words of a list field; what is no text in it is left out. */
export function listOf(task: TaskFields, field: string): readonly string[] {
  const value = task[field];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** An object field; empty when there is none. */
export function objectOf(task: TaskFields, field: string): TaskFields {
  const value = task[field];
  return isRecord(value) ? value : {};
}

/** A number in an object field, null when there is none. */
export function numberIn(fields: TaskFields, key: string): number | null {
  const value = fields[key];
  return typeof value === 'number' ? value : null;
}

/** Sets a field; undefined and the empty text take it out. */
export function withField(task: TaskFields, field: string, value: unknown): TaskFields {
  const { [field]: _before, ...others } = task;
  return value === undefined || value === '' ? others : { ...task, [field]: value };
}

/** Sets a key of an object field; the field goes when nothing is left in it. */
export function withKey(task: TaskFields, field: string, key: string, value: unknown): TaskFields {
  const inner = withField(objectOf(task, field), key, value);
  return withField(task, field, Object.keys(inner).length === 0 ? undefined : inner);
}

/** The value at a dotted path through objects and lists. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)] as unknown;
    return isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}

function changedAt(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((entry: unknown, place) => (place === Number(key) ? changedAt(entry, rest, change) : entry));
  }
  const record = isRecord(value) ? value : {};
  return { ...record, [key]: changedAt(record[key], rest, change) };
}

/** Puts a value at a dotted path. */
export function withValueAt(task: TaskFields, path: readonly string[], value: unknown): TaskFields {
  return changedAt(task, path, () => value) as TaskFields;
}

/** Calls the key at the end of a path something else; with another parent it moves there. */
export function withKeyCalled(task: TaskFields, path: readonly string[], to: readonly string[]): TaskFields {
  const value = valueAt(task, path);
  const [parent, last] = [path.slice(0, -1), path.at(-1)];
  const stays = parent.join('.') === to.slice(0, -1).join('.');
  const name = to.at(-1) ?? '';
  const without = changedAt(task, parent, (inner) => {
    const entries = Object.entries(isRecord(inner) ? inner : {});
    return Object.fromEntries(
      entries.flatMap(([key, one]) => (key !== last ? [[key, one]] : stays ? [[name, one]] : [])),
    );
  }) as TaskFields;
  return stays ? without : withValueAt(without, to, value);
}
