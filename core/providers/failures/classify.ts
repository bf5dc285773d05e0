import type { ProviderFailure } from '../../protocol/outcome.ts';
import type { ErrorBody } from './error-body.ts';
import { modelFailure } from './failure.ts';
import type { ModelFailure } from './failure.ts';

/** One sign of a reason: words in the codes, words in the message. The statuses limit where the words count; null is any. */
interface Sign {
  readonly reason: ProviderFailure;
  readonly codes: RegExp;
  readonly message: RegExp;
  readonly statuses: readonly number[] | null;
}

const NEVER = /^(?!)/;
const REFUSALS = [400, 403, 404, 413, 422, 500];

/**
 * In this order: the precise words come before the status, because vendors put the same thing under different statuses
 * (OpenAI's missing credit is a 429, its forbidden model a 403; Anthropic's missing credit a 400).
 */
const SIGNS: readonly Sign[] = [
  {
    reason: 'billing',
    codes:
      /^(insufficient_quota|billing_error|billing_hard_limit_reached|billing_not_active|insufficient_credits|payment_required)$/,
    message: /credit balance is too low|insufficient (credit|balance|funds)|billing (hard )?limit/i,
    statuses: null,
  },
  {
    reason: 'context_overflow',
    codes: /^(context_length_exceeded|exceed_context_size_error|context_window_exceeded|request_too_large)$/,
    message:
      /prompt is too long|maximum context|context (window|length|size)|input token count|input is too long|input (length )?exceeds|reduce the length|too many (input )?tokens/i,
    statuses: REFUSALS,
  },
  {
    reason: 'model_not_found',
    codes: /^(model_not_found|unknown_model|invalid_model|model_not_available)$/,
    message:
      /\bmodels?\b.{0,120}(not found|not exist|is unknown|is not supported|not available|not have access)|(unknown|invalid|no such|unsupported) model|not a valid model|try pulling it/i,
    statuses: [400, 403, 404, 422],
  },
  {
    reason: 'auth',
    codes:
      /^(authentication_error|permission_error|invalid_api_key|api_key_invalid|unauthenticated|permission_denied|unauthorized)$/,
    message: /api key not valid|invalid api[ -]key|incorrect api key|missing api key/i,
    statuses: null,
  },
  {
    reason: 'content_filter',
    codes:
      /^(content_filter|content_policy_violation|content_filtered|responsibleaipolicyviolation|prohibited_content|safety)$/,
    message:
      /content (management|filter|filtering|usage) policy|content[ _]filter|blocked (by|for|due to) .{0,40}(safety|policy)/i,
    statuses: REFUSALS,
  },
  {
    reason: 'rate_limit',
    codes: /^(rate_limit_error|rate_limit_exceeded|resource_exhausted|too_many_requests|tokens|requests)$/,
    message: NEVER,
    statuses: null,
  },
  {
    reason: 'overloaded',
    codes: /^(overloaded_error|overloaded|unavailable|server_is_overloaded|slow_down|engine_overloaded_error)$/,
    message: /overloaded/i,
    statuses: null,
  },
  { reason: 'model_not_found', codes: /^(not_found_error|not_found)$/, message: NEVER, statuses: null },
  {
    reason: 'server_error',
    codes: /^(api_error|server_error|internal_server_error|internal|timeout_error|deadline_exceeded|aborted|unknown)$/,
    message: NEVER,
    statuses: null,
  },
  {
    reason: 'bad_request',
    codes: /^(invalid_request_error|invalid_argument|bad_request|failed_precondition|invalid_prompt)$/,
    message: NEVER,
    statuses: null,
  },
];

/** An HTTP answer that is not good, as a failure (case 14). `body` is what its text said. */
export function httpFailure(status: number, body: ErrorBody, retryAfterMs: number | null): ModelFailure {
  const reason = bySigns(body, status) ?? byStatus(status);
  const said = body.message ? `: ${body.message}` : '';
  return modelFailure(reason, `HTTP ${status}${said}`, { status, retryAfterMs: retryAfterMs ?? body.retryAfterMs });
}

/** An error inside a good stream (B08). What cannot be told apart counts as the server's, which R8 calls transient. */
export function streamFailure(body: ErrorBody): ModelFailure {
  const reason = bySigns(body, body.status) ?? (body.status === null ? 'server_error' : byStatus(body.status));
  const label = body.codes[0] ? ` (${body.codes[0]})` : '';
  return modelFailure(reason, `The provider broke off its answer${label}${body.message ? `: ${body.message}` : ''}`, {
    retryAfterMs: body.retryAfterMs,
  });
}

/** The reason that the words give; a word that needs a status also counts where there is none (inside a stream). */
function bySigns(body: ErrorBody, status: number | null): ProviderFailure | null {
  // A 429 is about rates unless a code says that it is about money; its text speaks of tokens and quotas of all kinds.
  if (status === 429) return body.codes.some((code) => SIGNS[0]?.codes.test(code)) ? 'billing' : 'rate_limit';
  for (const sign of SIGNS) {
    if (sign.statuses && status !== null && !sign.statuses.includes(status)) continue;
    if (body.codes.some((code) => sign.codes.test(code)) || sign.message.test(body.message)) {
      if (!contradicts(sign.reason, status)) return sign.reason;
    }
  }
  return null;
}

/** A generic code does not overrule a status that says more: Gemini's 503 says UNAVAILABLE, Anthropic's only "api_error", and a 401 "invalid_request_error" is auth. */
function contradicts(reason: ProviderFailure, status: number | null): boolean {
  if (status === null) return false;
  if (reason === 'bad_request') return status !== 400 && status !== 422;
  if (reason === 'server_error') return (status < 500 && status !== 408) || byStatus(status) === 'overloaded';
  return false;
}

function byStatus(status: number): ProviderFailure {
  if (status === 401 || status === 403 || status === 407) return 'auth';
  if (status === 402) return 'billing';
  if (status === 404) return 'model_not_found';
  if (status === 413) return 'context_overflow';
  if (status === 429) return 'rate_limit';
  if (status === 503 || status === 529) return 'overloaded';
  if (status === 408 || status >= 500) return 'server_error';
  return 'bad_request';
}

const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

/** Codes of a certificate that we do not trust: the same at the next try. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

/** A request that got no answer, or whose answer broke off; `where` is the host. */
export function networkFailure(error: unknown, where: string): ModelFailure {
  const code = errorCode(error);
  const words = NETWORK_WORDS[code] ?? (error instanceof Error ? error.message : String(error));
  return modelFailure('network', `Network error with ${where}: ${words}`, { retryable: !CERTIFICATE.test(code) });
}

/** The code of an error; several addresses tried at once give an AggregateError, whose members have it. */
function errorCode(error: unknown): string {
  const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === 'string') return code;
  return errors?.length ? errorCode(errors[0]) : '';
}
