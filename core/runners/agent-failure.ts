import type { ProviderFailure } from '../protocol/outcome.ts';

/** What an agent's words say went wrong. */
export interface AgentFailure {
  readonly reason: ProviderFailure;
  readonly message: string;
}

/** In this order: the precise words come before the general ones. */
const SIGNS: readonly (readonly [ProviderFailure, RegExp])[] = [
  ['billing', /insufficient[_ ](quota|credit|balance|funds)|credit balance is too low|payment required|\b402\b/i],
  ['context_overflow', /context[_ ](length|window)|prompt is too long|maximum context|too many input tokens/i],
  [
    'model_not_found',
    /\bmodels?\b.{0,120}(not found|not exist|is unknown|not supported|not available)|(unknown|invalid|no such|unsupported) model|model_not_found/i,
  ],
  [
    'auth',
    /authentication|unauthori[sz]ed|invalid (x-)?api[ -]?key|incorrect api key|missing api key|not logged in|log ?in required|sign in|please run .{0,20}login|\b40[13]\b/i,
  ],
  ['content_filter', /content[_ ](filter|policy|management)|blocked .{0,40}(safety|policy)/i],
  ['rate_limit', /rate[_ -]?limit|too many requests|resource_exhausted|quota|\b429\b/i],
  ['overloaded', /overloaded|high demand|at capacity|\b(503|529)\b/i],
  [
    'network',
    /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|connection (error|refused|reset|failed|timed out)|network error|fetch failed|error sending request|stream disconnected|unable to connect|could not connect|waiting for network/i,
  ],
  ['server_error', /internal server error|server[_ ]error|bad gateway|\b50\d\b/i],
  ['bad_request', /invalid[_ ]request|bad request|\b4(00|22)\b/i],
];

/** What the words are about; null when they name nothing that is known. */
export function reasonInWords(words: string): ProviderFailure | null {
  return SIGNS.find(([, sign]) => sign.test(words))?.[0] ?? null;
}

/** How texts begin that some agents give as their answer when a request to the model has failed for good (T3). */
const IN_PLACE_OF_ANSWER =
  /^\s*(\[API Error\b|API Error\b|(unexpected status|exceeded retry limit|stream (error|disconnected)|error sending request|reconnecting\.\.\.|we('|’)re currently experiencing high demand)|error:\s)/i;

const SHORT = 2000;

/**
 * The failure that an agent told as its answer (T3): "[API Error" always is one; other beginnings only of a turn without any usage, in which no model
 * can have spoken. `spoke`: the agent counted tokens for it.
 */
export function failureInAnswer(answer: string, spoke: boolean): AgentFailure | null {
  const text = answer.trim();
  if (text === '' || text.length > SHORT) return null;
  if (/^\[API Error\b/i.test(text)) return told(text.replace(/^\[|\]$/g, ''));
  // Warnings of the agent may come before it.
  const last = text.split(/\n\s*\n/).at(-1) ?? '';
  return spoke || !IN_PLACE_OF_ANSWER.test(last) ? null : told(last);
}

function told(words: string): AgentFailure {
  return { reason: reasonInWords(words) ?? 'server_error', message: oneLine(words) };
}

const KINDS: Readonly<Record<string, ProviderFailure>> = {
  authentication_failed: 'auth',
  authentication_error: 'auth',
  oauth_org_not_allowed: 'auth',
  billing_error: 'billing',
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  server_error: 'server_error',
  invalid_request: 'bad_request',
  model_not_found: 'model_not_found',
  max_output_tokens: 'context_overflow',
};

/** A kind that an agent gives by name. */
export function reasonOfKind(kind: unknown): ProviderFailure | null {
  return typeof kind === 'string' ? (KINDS[kind] ?? null) : null;
}

const LONGEST = 500;

/** Words for people: one line, bounded. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
