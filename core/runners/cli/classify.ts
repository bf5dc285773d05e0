import type { FailureReason } from '../../protocol/outcome.ts';
import { reasonInWords } from '../agent-failure.ts';
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

/** The reason of an agent's own error: by the HTTP status that it names, else by its words; `otherwise` when they say nothing. */
export function classify(
  message: string,
  status: number | null = null,
  otherwise: FailureReason = 'server_error',
): AgentFailure {
  const words = message.trim() === '' ? 'The agent told of an error without a message.' : message.trim();
  const known = byStatus(status ?? statusIn(words));
  const byWords = reasonInWords(words);
  // What is about money or the length of a prompt is told by words, beside statuses that mean something else.
  const precise = byWords === 'billing' || byWords === 'context_overflow' ? byWords : null;
  return { reason: precise ?? known ?? byWords ?? otherwise, message: words };
}

function byStatus(status: number | null): FailureReason | null {
  if (status === null) return null;
  return BY_STATUS[status] ?? (status >= 500 ? 'server_error' : null);
}

/** `HTTP 429`, `status 401`, `API Error: 500`, `(429)`: a number beside a word that says what it is. */
function statusIn(words: string): number | null {
  const found = /(?:HTTP|status(?: code)?|API Error|error code)[:\s]*\(?(\d{3})\b|\((\d{3})\)/i.exec(words);
  return found === null ? null : Number(found[1] ?? found[2]);
}
