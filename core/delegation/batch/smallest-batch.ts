import type { BatchProblem } from '../../protocol/errors.ts';
import { batchProblem } from './problem.ts';

/** The smallest valid batch, shown wherever nothing usable was given (S2). */
export const smallestBatch = '{"tasks": [{"goal": "Fix the failing test in src/date.ts"}]}';

/** Nothing usable: `why` is the sentence that comes before the example. */
export function nothingUsable(why: string): BatchProblem {
  return batchProblem(why, `The smallest valid batch is ${smallestBatch}`, { field: 'tasks' });
}
