import { TaskInput } from '../../../core/protocol/batch.ts';
import type { BatchProblem } from '../../../core/protocol/errors.ts';
import { RunLimits } from '../../../core/protocol/settings.ts';
import type { Draft, TaskFields } from './draft.ts';
import { withTask } from './row-operations.ts';
import { valueAt, withKeyCalled, withValueAt } from './task-fields.ts';

/** The problems of a batch, by the row that has them. */
export interface Problems {
  readonly ofRow: ReadonlyMap<string, readonly BatchProblem[]>;
  /** Of the batch as a whole, its defaults or the settings. */
  readonly whole: readonly BatchProblem[];
}

export const NO_PROBLEMS: Problems = { ofRow: new Map(), whole: [] };

/** Sorts problems by the rows as they were when the core looked at them: `keys` in that order. */
export function problemsByRow(problems: readonly BatchProblem[], keys: readonly string[]): Problems {
  const ofRow = new Map<string, BatchProblem[]>();
  const whole: BatchProblem[] = [];
  for (const problem of problems) {
    const key = problem.task_index === null ? undefined : keys[problem.task_index];
    if (key === undefined) whole.push(problem);
    else ofRow.set(key, [...(ofRow.get(key) ?? []), problem]);
  }
  return { ofRow, whole };
}

/** The problems without those of a row that is not told of them. */
export function withoutRow(problems: Problems, key: string | null): Problems {
  if (key === null || !problems.ofRow.has(key)) return problems;
  return { ...problems, ofRow: new Map([...problems.ofRow].filter(([row]) => row !== key)) };
}

/** Whether a field, or one inside it, is said to be wrong. */
export function isWrong(problems: readonly BatchProblem[], field: string): boolean {
  return problems.some((problem) => problem.field === field || problem.field?.startsWith(`${field}.`) === true);
}

/** How a suggestion mends a task: `use` puts a word in place of another, `rename` calls a key by its right name. */
export interface Mend {
  readonly type: 'use' | 'rename';
  readonly word: string;
  readonly apply: (fields: TaskFields) => TaskFields;
}

function isKnownKey(path: readonly string[]): boolean {
  const [first = '', second] = path;
  if (path.length === 1) return Object.hasOwn(TaskInput.shape, first);
  if (first === 'limits' && second !== undefined) return Object.hasOwn(RunLimits.shape, second);
  return first !== 'limits';
}

/** The entry of a list that a message quotes. */
function quotedEntry(list: readonly unknown[], message: string): number {
  return list.findIndex((entry) => typeof entry === 'string' && message.includes(`"${entry}"`));
}

function mendValue(path: readonly string[], value: unknown, problem: BatchProblem, word: string): Mend['apply'] | null {
  if (Array.isArray(value)) {
    const place = quotedEntry(value, problem.message);
    return place < 0 ? null : (fields) => withValueAt(fields, [...path, String(place)], word);
  }
  const marker = /\{outputs\.[^{}]+\}/.exec(problem.message)?.[0];
  if (typeof value === 'string' && marker !== undefined && value.includes(marker)) {
    return (fields) => withValueAt(fields, path, value.replaceAll(marker, `{outputs.${word}}`));
  }
  return typeof value === 'string' ? (fields) => withValueAt(fields, path, word) : null;
}

/** What its suggestion does to the fields that have the problem; null when there is nothing that a press could do. */
export function mendOf(fields: TaskFields, problem: BatchProblem, inside: readonly string[] = []): Mend | null {
  const { field, suggestion: word } = problem;
  if (field === null || word === null) return null;
  const path = field.split('.');
  const value = valueAt(fields, path);
  if (value === undefined) return null;
  if (!isKnownKey(path.slice(inside.length))) {
    // `limits.max_turns` is said from the task on, `max_turns` stands beside the key that is wrong.
    const to = [...(word.includes('.') ? inside : path.slice(0, -1)), ...word.split('.')];
    return { type: 'rename', word, apply: (before) => withKeyCalled(before, path, to) };
  }
  const apply = mendValue(path, value, problem, word);
  return apply === null ? null : { type: 'use', word, apply };
}

/** Like {@link mendOf} for what the batch says for all tasks: `defaults.agent`. */
export function mendOfHead(head: TaskFields, problem: BatchProblem): Mend | null {
  return problem.field?.startsWith('defaults.') === true ? mendOf(head, problem, ['defaults']) : null;
}

/** Mends a row by its suggestion. */
export function mended(draft: Draft, key: string, mend: Mend): Draft {
  return withTask(draft, key, mend.apply);
}

/** The places of the rows with problems, in order. */
export function wrongPlaces(draft: Draft, problems: Problems): readonly number[] {
  return draft.rows.flatMap((row, place) => (problems.ofRow.has(row.key) ? [place] : []));
}
