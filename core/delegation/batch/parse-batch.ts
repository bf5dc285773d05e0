import type { BatchProblem } from '../../protocol/errors.ts';
import { assertNever } from '../../kit/assert-never.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { decodeText } from './decode-text.ts';
import { detectForm } from './detect-form.ts';
import { normaliseValue, readJson } from './normalise-value.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { delimiterOf, parseTable } from './parse-table.ts';
import { parseText } from './parse-text.ts';
import { parseYaml } from './parse-yaml.ts';
import type { BatchForm, ParsedBatch, RawBatch } from './raw-batch.ts';
import { nothingUsable } from './smallest-batch.ts';

/** A batch as a file or as pasted text. */
export interface BatchText {
  readonly text: string | Uint8Array;
  /** File name, for its extension. */
  readonly name?: string;
  /** Overrides what name and text look like. */
  readonly form?: BatchForm;
}

type Parsed = Result<ParsedBatch, BatchProblem[]>;

function fromValue(value: unknown, form: BatchForm): Parsed {
  const batch = normaliseValue(value);
  if (!batch.ok) return err([batch.error]);
  const title = batch.value['title'];
  return ok({ batch: batch.value, form, skipped: 0, title: typeof title === 'string' ? title : null });
}

function fromTasks(tasks: readonly unknown[], form: BatchForm, title: string | null = null, skipped = 0): Parsed {
  if (tasks.length === 0) {
    const why = skipped > 0 ? `All items of the list (${skipped}) are ticked.` : 'There is no task in it.';
    return err([nothingUsable(why)]);
  }
  const batch: RawBatch = title === null ? { tasks } : { title, tasks };
  return ok({ batch, form, skipped, title });
}

function fromTable(text: string, form: 'csv' | 'tsv'): Parsed {
  const tasks = parseTable(text, form === 'tsv' ? '\t' : delimiterOf(text));
  return tasks.ok ? fromTasks(tasks.value, form) : tasks;
}

function parseForm(text: string, form: BatchForm): Parsed {
  switch (form) {
    case 'json': {
      const read = readJson(text, 'The batch', null);
      return read.ok ? fromValue(read.value, form) : err([read.error]);
    }
    case 'yaml': {
      const read = parseYaml(text);
      return read.ok ? fromValue(read.value, form) : read;
    }
    case 'markdown': {
      const { tasks, title, skipped } = parseMarkdown(text);
      return fromTasks(tasks, form, title, skipped);
    }
    case 'csv':
    case 'tsv':
      return fromTable(text, form);
    case 'text':
      return fromTasks(
        parseText(text).map((goal) => ({ goal })),
        form,
      );
    default:
      return assertNever(form);
  }
}

/**
 * Reads a batch in any of its forms (S2). Never throws: whatever cannot be read is a list of problems with their
 * places. Nothing is validated beyond the form; see `validateBatch`.
 */
export function parseBatch(input: BatchText): Parsed {
  const text = decodeText(input.text);
  if (!text.ok) return err([text.error]);
  if (text.value.trim() === '') return err([nothingUsable('The batch is empty.')]);
  return parseForm(text.value, detectForm(text.value, input));
}

/**
 * Reads a batch that came as a value: arguments of a model's call or a client's request (S2). An object, a list of
 * tasks or goals, either of them as a JSON text, `tasks` as a JSON text, or a single `goal` with its fields.
 */
export function parseBatchValue(value: unknown): Parsed {
  return typeof value === 'string' ? parseBatch({ text: value, form: 'json' }) : fromValue(value, 'json');
}
