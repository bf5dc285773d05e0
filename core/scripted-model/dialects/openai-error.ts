import type { JsonObject } from '../json.ts';
import type { ModelError } from './dialect.ts';
import { wordsFor } from './dialect.ts';

const WORDS = [
  [400, { type: 'invalid_request_error', code: null }],
  [401, { type: 'invalid_request_error', code: 'invalid_api_key' }],
  [402, { type: 'insufficient_quota', code: 'insufficient_quota' }],
  [403, { type: 'invalid_request_error', code: 'permission_denied' }],
  [404, { type: 'invalid_request_error', code: 'model_not_found' }],
  [408, { type: 'server_error', code: 'timeout' }],
  [413, { type: 'invalid_request_error', code: 'request_too_large' }],
  [429, { type: 'rate_limit_error', code: 'rate_limit_exceeded' }],
  [503, { type: 'server_error', code: 'server_overloaded' }],
] as const;

/** Type and code that OpenAI gives to an HTTP status. */
export function openaiErrorWords(status: number): { type: string; code: string | null } {
  return wordsFor<{ type: string; code: string | null }>(WORDS, status, { type: 'server_error', code: null });
}

/** The body of an error reply, also the error frame of a chat stream. */
export function openaiError(error: ModelError): JsonObject {
  return { error: { message: error.message, type: error.type, param: null, code: error.code } };
}
