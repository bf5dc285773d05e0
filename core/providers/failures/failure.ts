import type { ProviderFailure } from '../../protocol/outcome.ts';

/** How a model request failed, in our words (T2). */
export interface ModelFailure {
  readonly reason: ProviderFailure;
  /** For people: what happened and what the provider said. Events carry it as one plain line without secrets. */
  readonly message: string;
  /** HTTP status; null when there was no answer, or the error came inside a good one. */
  readonly status: number | null;
  /** May the same request succeed later (R8)? */
  readonly retryable: boolean;
  /** How long the provider asked us to wait, in milliseconds from when the failure was read; null when it did not. */
  readonly retryAfterMs: number | null;
}

/** Reasons that a later try of the same request may be spared (R8). */
const TRANSIENT: ReadonlySet<ProviderFailure> = new Set(['rate_limit', 'overloaded', 'network', 'server_error']);

/** A failure of the given reason; whether it is worth a retry follows from the reason. */
export function modelFailure(
  reason: ProviderFailure,
  message: string,
  more: { status?: number | null; retryAfterMs?: number | null; retryable?: boolean } = {},
): ModelFailure {
  return {
    reason,
    message,
    status: more.status ?? null,
    retryable: more.retryable ?? TRANSIENT.has(reason),
    retryAfterMs: more.retryAfterMs ?? null,
  };
}

const LONGEST_MESSAGE = 500;

/** The failure as people may see it. Secrets go first: a cut through one would leave the half that nobody recognises. */
export function presentable(failure: ModelFailure, redact: (text: string) => string): ModelFailure {
  const line = redact(failure.message).replace(/\s+/g, ' ').trim();
  const message = line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE - 1)}…`;
  return { ...failure, message };
}
