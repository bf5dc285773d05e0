import { ApiError, type ErrorCode } from '../../core/protocol/errors.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { Failure } from './failure.ts';
import { isLost } from './lost-line.ts';

const STATUS: Readonly<Record<ErrorCode, ExitStatus>> = {
  invalid_batch: EXIT.usage,
  invalid_input: EXIT.usage,
  not_found: EXIT.refused,
  not_allowed: EXIT.refused,
  already_answered: EXIT.refused,
  already_ended: EXIT.refused,
  not_steerable: EXIT.refused,
  not_pausable: EXIT.refused,
  limit_reached: EXIT.refused,
  conflict: EXIT.refused,
  would_lose: EXIT.refused,
  no_project: EXIT.refused,
  no_agent: EXIT.environment,
  storage: EXIT.environment,
  protocol_mismatch: EXIT.environment,
  home_locked: EXIT.environment,
  shutting_down: EXIT.environment,
  internal: EXIT.environment,
};

const NO_FOLDER =
  'The folder that you are in is gone or cannot be read. Go to one that is there (cd), and run the command again.';

/** What the core says of a failed call, or null when the call failed for another reason. */
export function apiErrorOf(thrown: unknown): ApiError | null {
  return ApiError.safeParse((thrown as { data?: unknown } | null)?.data).data ?? null;
}

/** Any failure as one for people. A thrown error that nobody expected is passed on: it is a bug. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const known = apiErrorOf(thrown);
  if (known === null && isLost(thrown)) return new Failure(EXIT.environment, 'The core went away.');
  if (known === null && isOfSystem(thrown) && thrown.syscall === 'uv_cwd')
    return new Failure(EXIT.environment, NO_FOLDER);
  if (known === null && isOfSystem(thrown)) return new Failure(EXIT.environment, thrown.message);
  if (known === null) throw thrown;
  const problems = known.problems ?? [];
  // With problems the message only sums them up.
  if (problems.length === 0) return new Failure(STATUS[known.code], known.message);
  return new Failure(
    STATUS[known.code],
    'Nothing was started:',
    ...problems.map(({ message, fix }) => `  ${message} ${fix}`.trimEnd()),
  );
}

function isOfSystem(thrown: unknown): thrown is Error & { syscall: string } {
  return thrown instanceof Error && 'syscall' in thrown && typeof thrown.syscall === 'string';
}
