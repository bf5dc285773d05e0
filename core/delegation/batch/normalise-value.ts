import { BatchInput } from '../../protocol/batch.ts';
import type { BatchProblem } from '../../protocol/errors.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { jsonMistake, lineAndColumn, repeatedName } from './json-position.ts';
import { batchProblem } from './problem.ts';
import { isRecord, type RawBatch } from './raw-batch.ts';
import { nothingUsable, smallestBatch } from './smallest-batch.ts';

/** `value` as a JSON text: its value, or one problem with line and column. */
export function readJson(text: string, what: string, field: string | null): Result<unknown, BatchProblem> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { offset, expected } = jsonMistake(text);
    const place = placeOf(text, offset);
    const fix = `Mend the JSON at ${place}. The smallest valid batch is ${smallestBatch}`;
    const message = `${what} cannot be read as JSON: at ${place} ${expected} was expected.`;
    return err(batchProblem(message, fix, { field: field ?? undefined, pointer: place }));
  }
  const twice = repeatedName(text);
  if (twice === null) return ok(value);
  const place = placeOf(text, twice.offset);
  const message = `${what} cannot be read as JSON: at ${place} the key ${twice.name} is there twice.`;
  return err(batchProblem(message, 'Take one of them out.', { field: field ?? undefined, pointer: place }));
}

function placeOf(text: string, offset: number): string {
  const { line, column } = lineAndColumn(text, offset);
  return `line ${line}, column ${column}`;
}

/** The kind of a JSON value in plain words. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'boolean' ? 'true or false' : `a ${typeof value}`;
}

const asTasks = (entries: readonly unknown[]): unknown[] =>
  entries.map((entry) => (typeof entry === 'string' ? { goal: entry } : entry));

/** `goal` and the other task fields at the top make one task; what only a batch has stays with the batch (S2). */
function fromSingleGoal(value: Record<string, unknown>): RawBatch {
  const entries = Object.entries(value).filter(([key]) => key !== 'tasks');
  const ofBatch = ([key]: [string, unknown]): boolean => Object.hasOwn(BatchInput.shape, key);
  const task = Object.fromEntries(entries.filter((entry) => !ofBatch(entry)));
  return { ...Object.fromEntries(entries.filter(ofBatch)), tasks: [task] };
}

function fromObject(value: Record<string, unknown>): Result<RawBatch, BatchProblem> {
  let tasks = value['tasks'];
  if (typeof tasks === 'string') {
    const read = readJson(tasks, 'The text in "tasks"', 'tasks');
    if (!read.ok) return read;
    tasks = read.value;
  }
  const absent = tasks === undefined || tasks === null || (Array.isArray(tasks) && tasks.length === 0);
  if (absent && typeof value['goal'] === 'string' && value['goal'].trim() !== '') return ok(fromSingleGoal(value));
  if (absent) return err(nothingUsable('The batch has no tasks.'));
  if (!Array.isArray(tasks)) return err(nothingUsable(`"tasks" must be a list of tasks, not ${kindOf(tasks)}.`));
  return ok({ ...value, tasks: asTasks(tasks) });
}

/** The batch in a value that came from JSON, YAML, a client or a model (S2). */
export function normaliseValue(value: unknown): Result<RawBatch, BatchProblem> {
  if (Array.isArray(value)) {
    return value.length === 0 ? err(nothingUsable('The batch has no tasks.')) : ok({ tasks: asTasks(value) });
  }
  if (isRecord(value)) return fromObject(value);
  if (value === undefined || value === null) return err(nothingUsable('The batch is empty.'));
  return err(nothingUsable(`A batch must be an object or a list of tasks, not ${kindOf(value)}.`));
}
