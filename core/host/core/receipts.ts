import { ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { readReceipt } from '../../registry/store/read-rows.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';

/**
 * What a command is answered that could not be validated: the first answer, when it has been carried out before with the same token (S7). Its own effect
 * may be what stands in its way now: ids that it has taken itself.
 */
export async function firstAnswer<T>(
  engine: ProjectEngine,
  token: string,
  refused: Result<T, ApiError> & { readonly ok: false },
): Promise<Result<T, ApiError>> {
  await engine.settled();
  const answer = readReceipt(engine.db, token);
  return answer === undefined ? refused : ok(answer as T);
}
