import type { ParsedBatch } from '../../../core/protocol/api/batches.ts';

/** A task as it was written: also what is wrong in it stays until somebody mends it. */
export type TaskFields = Readonly<Record<string, unknown>>;

export interface Row {
  /** Names the row for as long as the draft lives; places change, keys do not. */
  readonly key: string;
  readonly task: TaskFields;
}

/** A batch being edited. */
export interface Draft {
  readonly title: string;
  /** What the batch says beside its title and tasks: `defaults`, `max_concurrent`, … */
  readonly head: TaskFields;
  readonly rows: readonly Row[];
  /** Names of the files that it came from. */
  readonly sources: readonly string[];
  /** Ticked items that were left out. */
  readonly skipped: number;
  /** Keys given so far. */
  readonly serial: number;
}

export const EMPTY_DRAFT: Draft = { title: '', head: {}, rows: [], sources: [], skipped: 0, serial: 0 };

/** Keys of a batch that belong to one dispatch, not to the draft. */
const NOT_KEPT = new Set(['title', 'tasks', 'client_token']);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether what was kept is a draft as this build has them. */
export function isDraft(value: unknown): value is Draft {
  return (
    isRecord(value) &&
    typeof value['title'] === 'string' &&
    isRecord(value['head']) &&
    Array.isArray(value['rows']) &&
    value['rows'].every((row) => isRecord(row) && typeof row['key'] === 'string' && isRecord(row['task'])) &&
    Array.isArray(value['sources']) &&
    typeof value['skipped'] === 'number' &&
    typeof value['serial'] === 'number'
  );
}

function asTask(entry: unknown): TaskFields {
  if (isRecord(entry)) return entry;
  return { goal: typeof entry === 'string' ? entry : JSON.stringify(entry) };
}

/** Tasks, title and head of a batch in its JSON form (S2); anything else is an empty batch. */
function readBatch(batch: unknown): Pick<Draft, 'title' | 'head'> & { readonly tasks: readonly TaskFields[] } {
  if (Array.isArray(batch)) return { title: '', head: {}, tasks: batch.map(asTask) };
  if (!isRecord(batch)) return { title: '', head: {}, tasks: [] };
  const { title, tasks } = batch;
  return {
    title: typeof title === 'string' ? title : '',
    head: Object.fromEntries(Object.entries(batch).filter(([key]) => !NOT_KEPT.has(key))),
    tasks: Array.isArray(tasks) ? tasks.map(asTask) : [],
  };
}

/** Rows with keys of their own, put behind those that are there. */
export function withTasks(draft: Draft, tasks: readonly TaskFields[], at = draft.rows.length): Draft {
  const added = tasks.map((task, place): Row => ({ key: `t${draft.serial + place + 1}`, task }));
  return {
    ...draft,
    serial: draft.serial + added.length,
    rows: [...draft.rows.slice(0, at), ...added, ...draft.rows.slice(at)],
  };
}

const idOf = (task: TaskFields): string | null => (typeof task['id'] === 'string' ? task['id'] : null);

/** The ids of all tasks. */
export function idsOf(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ task }) => idOf(task) ?? []));
}

/** An id like `wanted` that no task has yet. */
export function freshId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    // An id has at most 64 characters (S5).
    const id = `${wanted.slice(0, 58)}-${number}`;
    if (!taken.has(id)) return id;
  }
}

const text = (value: unknown): value is string => typeof value === 'string';

/** Replaces ids in the places where tasks name each other. */
function renamed(task: TaskFields, names: ReadonlyMap<string, string>): TaskFields {
  if (names.size === 0) return task;
  const next: Record<string, unknown> = { ...task };
  const other = (id: unknown): unknown => (text(id) ? (names.get(id) ?? id) : id);
  if (text(next['id'])) next['id'] = other(next['id']);
  if (Array.isArray(next['depends_on'])) next['depends_on'] = next['depends_on'].map(other);
  for (const field of ['goal', 'context']) {
    const value = next[field];
    if (text(value))
      next[field] = value.replaceAll(/\{outputs\.([A-Za-z0-9_-]{1,64})\}/g, (marker, id: string) => {
        const name = names.get(id);
        return name === undefined ? marker : `{outputs.${name}}`;
      });
  }
  return next;
}

/** The tasks with the defaults of their own batch written into them, so that they mean the same in another. */
function withDefaults(tasks: readonly TaskFields[], defaults: unknown): readonly TaskFields[] {
  if (!isRecord(defaults)) return tasks;
  return tasks.map((task) => {
    const limits =
      isRecord(defaults['limits']) && isRecord(task['limits'])
        ? { ...defaults['limits'], ...task['limits'] }
        : undefined;
    return { ...defaults, ...task, ...(limits === undefined ? {} : { limits }) };
  });
}

const isBlank = ({ task }: Row): boolean => Object.values(task).every((value) => value === '' || value === undefined);

/** Puts what was dropped or pasted behind the tasks that are there; an empty draft takes it over whole. */
export function append(
  draft: Draft,
  parsed: Pick<ParsedBatch, 'batch' | 'skipped' | 'title'>,
  name: string | null,
): Draft {
  const read = readBatch(parsed.batch);
  if (read.tasks.length === 0) return draft;
  const kept = { ...draft, rows: draft.rows.filter((row) => !isBlank(row)) };
  const title = kept.title === '' ? (parsed.title ?? read.title) : kept.title;
  const said = { title, skipped: kept.skipped + parsed.skipped, sources: withSource(kept.sources, name) };
  if (kept.rows.length === 0) return withTasks({ ...kept, ...said, head: { ...kept.head, ...read.head } }, read.tasks);
  const taken = new Set(idsOf(kept.rows));
  const names = new Map<string, string>();
  for (const task of read.tasks) {
    const id = idOf(task);
    if (id === null) continue;
    const fresh = freshId(id, taken);
    taken.add(fresh);
    if (fresh !== id) names.set(id, fresh);
  }
  const tasks = withDefaults(read.tasks, read.head['defaults']).map((task) => renamed(task, names));
  return withTasks({ ...kept, ...said }, tasks);
}

function withSource(sources: readonly string[], name: string | null): readonly string[] {
  return name === null || sources.includes(name) ? sources : [...sources, name];
}

/** The batch as the core takes it (S2). */
export function toBatch(draft: Draft): Record<string, unknown> {
  const title = draft.title.trim();
  return { ...draft.head, ...(title === '' ? {} : { title }), tasks: draft.rows.map(({ task }) => task) };
}

/** Nothing in it that would be missed. */
export function isEmpty(draft: Draft): boolean {
  return draft.title.trim() === '' && draft.rows.every(isBlank);
}
