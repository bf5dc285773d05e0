import type { z } from 'zod';
import { fieldMistakes, misplacedKeys } from './issue-words.ts';
import type { Place, ProblemList } from './problem-list.ts';

/**
 * The fields of `raw` that `shape` accepts, each checked by itself so that one bad field hides no other. Null counts
 * as absent: models send it for what they leave out. All others are reported.
 */
export function readFields<S extends z.ZodRawShape>(
  raw: Record<string, unknown>,
  shape: S,
  of: 'task' | 'batch',
  place: Place,
  problems: ProblemList,
): Partial<z.infer<z.ZodObject<S>>> {
  const fields: [string, unknown][] = [];
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(raw)) {
    const schema = Object.hasOwn(shape, key) ? (shape[key] as z.ZodType) : undefined;
    if (schema === undefined) unknown.push(key);
    else if (value !== null && value !== undefined) {
      const read = schema.safeParse(value);
      if (read.success) fields.push([key, read.data]);
      else for (const mistake of fieldMistakes(key, value, read.error.issues)) problems.add(place, mistake);
    }
  }
  for (const mistake of misplacedKeys(unknown, Object.keys(shape), of)) problems.add(place, mistake);
  return Object.fromEntries(fields) as Partial<z.infer<z.ZodObject<S>>>;
}
