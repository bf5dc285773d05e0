import type { BatchProblem } from '../../protocol/errors.ts';

/** Where in a batch something is wrong. */
export interface Place {
  readonly task_index: number | null;
  /** How a message begins: `Task 2`, `The defaults`. */
  readonly name: string;
  /** What comes before the field: `defaults.` or nothing. */
  readonly prefix: string;
}

/** The batch as a whole. */
export const THE_BATCH: Place = { task_index: null, name: 'The batch', prefix: '' };
/** The `defaults` of the batch. */
export const THE_DEFAULTS: Place = { task_index: null, name: 'The defaults', prefix: 'defaults.' };
/** What the caller gave beside the batch, as flags. */
export const THE_OPTIONS: Place = { task_index: null, name: 'The options', prefix: '' };
/** The app's settings. */
export const THE_SETTINGS: Place = { task_index: null, name: 'The settings', prefix: '' };

/** A task by its 0-based index. */
export function taskPlace(index: number): Place {
  return { task_index: index, name: `Task ${index + 1}`, prefix: '' };
}

/** What is wrong at a place. `message` is a sentence without its first word and its full stop. */
export interface Mistake {
  readonly field: string | null;
  readonly message: string;
  readonly fix: string;
  readonly suggestion?: string | null;
  readonly pointer?: string;
}

/** Collects the problems of a batch; the same one at the same place counts once, so that defaults are not blamed per task. */
export class ProblemList {
  readonly #problems = new Map<string, BatchProblem>();

  add(place: Place, mistake: Mistake): void {
    const field = mistake.field === null ? null : place.prefix + mistake.field;
    const message = `${place.name}: ${mistake.message}.`;
    this.#problems.set(JSON.stringify([place.task_index, field, message]), {
      task_index: place.task_index,
      field,
      message,
      fix: mistake.fix,
      suggestion: mistake.suggestion ?? null,
      pointer: mistake.pointer ?? null,
    });
  }

  /** Those of the whole batch first, then task by task. */
  list(): BatchProblem[] {
    return [...this.#problems.values()].sort((a, b) => (a.task_index ?? -1) - (b.task_index ?? -1));
  }
}
