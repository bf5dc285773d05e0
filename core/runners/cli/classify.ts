import type { FailureReason } from '../../protocol/outcome.ts';
import type { AgentFailure } from './agent-event.ts';

const BY_STATUS: Readonly<Record<number, FailureReason>> = {
  400: 'bad_request',
  401: 'auth',
  402: 'billing',
  403: 'auth',
  404: 'model_not_found',
  408: 'server_error',
  413: 'context_overflow',
  422: 'bad_request',
  429: 'rate_limit',
  503: 'overloaded',
  529: 'overloaded',
};

/** Agents word the same failures differently; the first that fits counts, so what says more stands first. */
const BY_WORDS: readonly (readonly [RegExp, FailureReason])[] = [
  [/credit balance|insufficient[_ ](funds|quota)|billing|payment required|usage ?limit ?exceeded/i, 'billing'],
  [/context (length|window)|context_length_exceeded|prompt is too long|contextWindowExceeded/i, 'context_overflow'],
  [/content[ _]?(filter|policy)|cyberPolicy|bioPolicy/i, 'content_filter'],
  [
    /unauthori[sz]ed|authenticat|invalid[_ ](api[_ ])?key|api key not valid|not logged in|please run \/login|\b401\b|sign in|log ?in first|No auth|set an Auth method/i,
    'auth',
  ],
  [/rate[ _]?limit|too many requests|resource[_ ]exhausted|\b429\b/i, 'rate_limit'],
  [/overloaded|high demand|\b(503|529)\b/i, 'overloaded'],
  [/model.{0,40}(not found|does not exist|unknown|not supported)|modelNotFound|model_not_found/i, 'model_not_found'],
  [
    /ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|connection (error|refused|failed|reset)|unable to connect|fetch failed|network|stream disconnected|ConnectionFailed|connect to (the )?(api|server)/i,
    'network',
  ],
  [/internal server|server[_ ]error|\b50\d\b|api_error/i, 'server_error'],
  [/bad request|invalid[_ ]request|\b400\b/i, 'bad_request'],
];

/** The reason of an agent's own error: by the HTTP status that it names, else by its words; `otherwise` when they say nothing. */
export function classify(
  message: string,
  status: number | null = null,
  otherwise: FailureReason = 'server_error',
): AgentFailure {
  const words = message.trim() === '' ? 'The agent told of an error without a message.' : message.trim();
  const named = status ?? statusIn(words);
  const known = named === null ? undefined : (BY_STATUS[named] ?? (named >= 500 ? 'server_error' : undefined));
  const byWords = BY_WORDS.find(([pattern]) => pattern.test(words))?.[1];
  // Money is told by words beside statuses that mean something else.
  const reason = byWords === 'billing' || byWords === 'context_overflow' ? byWords : (known ?? byWords ?? otherwise);
  return { reason, message: words };
}

/** `HTTP 429`, `status 401`, `API Error: 500`, `(429)`: a number beside a word that says what it is. */
function statusIn(words: string): number | null {
  const found = /(?:HTTP|status(?: code)?|API Error|error code)[:\s]*\(?(\d{3})\b|\((\d{3})\)/i.exec(words);
  return found === null ? null : Number(found[1] ?? found[2]);
}

/** A text that stands in the place of an answer but is an error (T3). */
export function errorInAnswer(answer: string): AgentFailure | null {
  const match = /^\s*\[?API Error[:\s]/i.exec(answer);
  return match === null ? null : classify(answer.replace(/^\s*\[|\]\s*$/g, ''));
}
