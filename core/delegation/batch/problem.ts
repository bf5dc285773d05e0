import type { BatchProblem } from '../../protocol/errors.ts';
import { cutGraphemes } from '../lines/graphemes.ts';
import { oneLine } from '../lines/one-line.ts';

/** A piece of the user's text inside a message. */
export function quote(text: string): string {
  return `"${cutGraphemes(oneLine(text), 60)}"`;
}

/** `a, b, c`, or the first `max` of them and how many more there are. */
export function listed(names: readonly string[], max = 12): string {
  if (names.length === 0) return 'none';
  const rest = names.length - max;
  return rest > 0 ? `${names.slice(0, max).join(', ')} and ${rest} more` : names.join(', ');
}

/** A problem of the batch as a whole. */
export function batchProblem(
  message: string,
  fix: string,
  more: { field?: string; pointer?: string; suggestion?: string | null } = {},
): BatchProblem {
  return {
    task_index: null,
    field: more.field ?? null,
    message,
    fix,
    suggestion: more.suggestion ?? null,
    pointer: more.pointer ?? null,
  };
}
