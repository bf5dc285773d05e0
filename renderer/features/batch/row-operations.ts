import { freshId, idsOf, withTasks, type Draft, type Row, type TaskFields } from './draft.ts';
import { listOf, textOf, withField } from './task-fields.ts';

/* What people do to the rows of a batch. Each takes the whole draft, because tasks name each other. */

const placeOf = (draft: Draft, key: string): number => draft.rows.findIndex((row) => row.key === key);

/** The tasks that wait for `id` wait for `others` instead; a list that gets empty goes. */
function redirected(rows: readonly Row[], id: string, others: readonly string[]): readonly Row[] {
  if (id === '') return rows;
  return rows.map((row) => {
    const said = listOf(row.task, 'depends_on');
    if (!said.includes(id)) return row;
    const own = textOf(row.task, 'id');
    const list = [...new Set(said.flatMap((one) => (one === id ? others : [one])))].filter((one) => one !== own);
    return { ...row, task: withField(row.task, 'depends_on', list.length === 0 ? undefined : list) };
  });
}

/** Changes one task. */
export function withTask(draft: Draft, key: string, change: (task: TaskFields) => TaskFields): Draft {
  return { ...draft, rows: draft.rows.map((row) => (row.key === key ? { ...row, task: change(row.task) } : row)) };
}

/** A task without words at the end, or behind the one with `key`. */
export function addTask(draft: Draft, key: string | null = null): Draft {
  const place = key === null ? -1 : placeOf(draft, key);
  return withTasks(draft, [{ goal: '' }], place < 0 ? draft.rows.length : place + 1);
}

/** Moves a task to a place; the others keep their order. */
export function moveTask(draft: Draft, key: string, to: number): Draft {
  const from = placeOf(draft, key);
  const row = draft.rows[from];
  const place = Math.max(0, Math.min(draft.rows.length - 1, to));
  if (row === undefined || from === place) return draft;
  const rows = draft.rows.filter((other) => other !== row);
  rows.splice(place, 0, row);
  return { ...draft, rows };
}

/** The same task once more, below; ids are unique, so the copy has none. */
export function duplicateTask(draft: Draft, key: string): Draft {
  const place = placeOf(draft, key);
  const row = draft.rows[place];
  return row === undefined ? draft : withTasks(draft, [withField(row.task, 'id', undefined)], place + 1);
}

/** Takes a task out; those that waited for it no longer do. */
export function removeTask(draft: Draft, key: string): Draft {
  const row = draft.rows[placeOf(draft, key)];
  if (row === undefined) return draft;
  const rows = draft.rows.filter((other) => other !== row);
  return { ...draft, rows: redirected(rows, textOf(row.task, 'id'), []) };
}

const BULLET = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** The lines that a task can be split into: of its goal, or of its context when the goal is one line. */
function linesToSplit(task: TaskFields): readonly string[] {
  const lines = (field: string): string[] =>
    textOf(task, field)
      .split('\n')
      .map((line) => line.replace(BULLET, '').trim())
      .filter((line) => line !== '');
  const goals = lines('goal');
  return goals.length > 1 ? goals : lines('context');
}

export const canSplit = (task: TaskFields): boolean => linesToSplit(task).length > 1;

/** One task a line. With lines of the context, the goal becomes their context. Who waited for the task waits for all of them. */
export function splitTask(draft: Draft, key: string): Draft {
  const place = placeOf(draft, key);
  const row = draft.rows[place];
  const lines = row === undefined ? [] : linesToSplit(row.task);
  if (row === undefined || lines.length < 2) return draft;
  const id = textOf(row.task, 'id');
  const taken = new Set(idsOf(draft.rows));
  const ofGoal = textOf(row.task, 'goal').trim().includes('\n');
  const common = ofGoal ? row.task : withField(row.task, 'context', textOf(row.task, 'goal').trim());
  const ids: string[] = [];
  const tasks = lines.map((goal, part) => {
    const task = { ...withField(withField(common, 'id', undefined), 'label', undefined), goal };
    if (id === '') return task;
    const own = part === 0 ? id : freshId(id, taken);
    taken.add(own);
    ids.push(own);
    return { id: own, ...task };
  });
  const split = withTasks({ ...draft, rows: draft.rows.filter((other) => other !== row) }, tasks, place);
  return { ...split, rows: redirected(split.rows, id, ids) };
}

const joined = (first: string, second: string, between: string): string =>
  [first, second].filter((part) => part.trim() !== '').join(between);

/** One task of this and the next: the fields of the first count, goals and contexts are put together. */
export function mergeWithNext(draft: Draft, key: string): Draft {
  const place = placeOf(draft, key);
  const [row, next] = [draft.rows[place], draft.rows[place + 1]];
  if (row === undefined || next === undefined) return draft;
  const [ownId, nextId] = [textOf(row.task, 'id'), textOf(next.task, 'id')];
  const id = ownId === '' ? nextId : ownId;
  const waits = [...new Set([...listOf(row.task, 'depends_on'), ...listOf(next.task, 'depends_on')])].filter(
    (one) => one !== ownId && one !== nextId,
  );
  let task: TaskFields = { ...next.task, ...row.task };
  task = withField(task, 'id', id);
  task = withField(task, 'goal', joined(textOf(row.task, 'goal'), textOf(next.task, 'goal'), '\n'));
  task = withField(task, 'context', joined(textOf(row.task, 'context'), textOf(next.task, 'context'), '\n\n'));
  task = withField(task, 'depends_on', waits.length === 0 ? undefined : waits);
  const rows = draft.rows.flatMap((other) => (other === next ? [] : other === row ? [{ ...row, task }] : [other]));
  return { ...draft, rows: nextId === id ? rows : redirected(rows, nextId, [id]) };
}

/** Tries at one task that people can ask for at once. */
export const MOST_TRIES = 8;

/**
 * The same task `tries` times, by the given agents in turn (none: the task's own). Who waited for it waits for all tries.
 */
export function bestOf(draft: Draft, key: string, tries: number, agents: readonly string[] = []): Draft {
  const place = placeOf(draft, key);
  const row = draft.rows[place];
  const count = Math.max(2, Math.min(MOST_TRIES, tries));
  if (row === undefined) return draft;
  const id = textOf(row.task, 'id');
  const name = textOf(row.task, 'label') || (textOf(row.task, 'goal').split('\n')[0] ?? '').trim().slice(0, 48);
  const taken = new Set(idsOf(draft.rows));
  const ids: string[] = [];
  const tasks = Array.from({ length: count }, (_, part): TaskFields => {
    const agent = agents[part % Math.max(1, agents.length)];
    // Another agent has models of its own.
    const base = agent === undefined ? row.task : withField({ ...row.task, agent }, 'model', undefined);
    const task = { ...withField(base, 'id', undefined), label: `${name} (${part + 1} of ${count})` };
    if (id === '') return task;
    const own = part === 0 ? id : freshId(id, taken);
    taken.add(own);
    ids.push(own);
    return { id: own, ...task };
  });
  const many = withTasks({ ...draft, rows: draft.rows.filter((other) => other !== row) }, tasks, place);
  return { ...many, rows: redirected(many.rows, id, ids) };
}

/** Fields that can be given to all tasks at once. */
export const SHARED_FIELDS = ['agent', 'model', 'isolation', 'limits', 'context'] as const;
export type SharedField = (typeof SHARED_FIELDS)[number];

/** Gives every task the value that one has; a field that it does not have is taken from all. Model goes with its agent. */
export function applyToAll(draft: Draft, key: string, field: SharedField): Draft {
  const from = draft.rows[placeOf(draft, key)]?.task;
  if (from === undefined) return draft;
  const fields = field === 'agent' ? ['agent', 'model'] : [field];
  const rows = draft.rows.map((row): Row => {
    if (row.key === key) return row;
    return { ...row, task: fields.reduce<TaskFields>((task, one) => withField(task, one, from[one]), row.task) };
  });
  return { ...draft, rows };
}
