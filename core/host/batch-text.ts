import { decodeText } from '../delegation/batch/decode-text.ts';
import type { Result } from '../kit/result.ts';
import type { BatchProblem } from '../protocol/errors.ts';

/** The text of a batch file by its bytes, UTF-16 by its byte order mark, or why they are none (S2). */
export function batchText(bytes: Uint8Array): Result<string, BatchProblem> {
  return decodeText(bytes);
}
