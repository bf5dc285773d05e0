/** How a batch can be written (S2). */
export type BatchForm = 'json' | 'yaml' | 'markdown' | 'csv' | 'tsv' | 'text';

/**
 * A batch that was read but not validated: `tasks` is a list of whatever was written there (a bare string has become
 * `{goal}`), all other keys are as they were written.
 */
export interface RawBatch {
  readonly tasks: readonly unknown[];
  readonly [key: string]: unknown;
}

/** What was read from a file or from pasted text. */
export interface ParsedBatch {
  readonly batch: RawBatch;
  readonly form: BatchForm;
  /** Ticked items of a Markdown list, which are no tasks. */
  readonly skipped: number;
  readonly title: string | null;
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
