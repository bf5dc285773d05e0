import { ORPCError, ValidationError } from '@orpc/server';
import type { Logger } from '../../kit/logger.ts';
import type { ApiError } from '../../protocol/errors.ts';

const INTERNAL = 'Something went wrong inside Espalier; the log has the details. What was stored before is safe.';

/** An expected failure, on its way out of a procedure. */
export class ExpectedFailure extends Error {
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message);
    this.name = 'ExpectedFailure';
    this.error = error;
  }
}

/** The error that goes over the wire, whatever was thrown. Text of unexpected errors may hold secrets: it stays here. */
export function toWireError(thrown: unknown, procedure: string, logger: Logger): ORPCError<'FAILED', ApiError> {
  if (thrown instanceof ORPCError && thrown.code === 'FAILED') return thrown as ORPCError<'FAILED', ApiError>;
  if (thrown instanceof ExpectedFailure) return failed(thrown.error);
  const invalid = invalidInput(thrown);
  if (invalid !== null) return failed(invalid);
  logger.error({ procedure, ...describe(thrown) }, 'a procedure of the API failed');
  return failed({ code: 'internal', message: INTERNAL });
}

function failed(data: ApiError): ORPCError<'FAILED', ApiError> {
  return new ORPCError('FAILED', { defined: true, message: data.message, data });
}

/** What the contract's schemas say of an input, in words; null when something else went wrong. */
function invalidInput(thrown: unknown): ApiError | null {
  if (!(thrown instanceof ORPCError) || thrown.code !== 'BAD_REQUEST') return null;
  const issues = thrown.cause instanceof ValidationError ? thrown.cause.issues : [];
  const words = issues.slice(0, 5).map(({ path, message }) => {
    const place = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  return { code: 'invalid_input', message: `The request is not valid. ${words.join('; ')}`.trim() };
}

/** Kind and place of an error without its message, which may quote keys or task text (D7, K4). */
function describe(thrown: unknown): { kind: string; code?: string; at: string[] } {
  if (!(thrown instanceof Error)) return { kind: typeof thrown, at: [] };
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const { code } = thrown as { code?: unknown };
  return {
    kind: thrown.name,
    ...(typeof code === 'string' ? { code } : {}),
    at: frames.slice(0, 8).map((line) => line.trim()),
  };
}
