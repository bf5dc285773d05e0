import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { loopbackBundle } from '../stream/dialects.ts';
import type { ModelEvent } from '../stream/events.ts';
import { sendJson, startRawServer } from '../stream/raw-server.ts';
import type { RawServer } from '../stream/raw-server.ts';
import { streamModel } from '../stream/stream-model.ts';
import type { ModelBundle, ProviderKind } from '../models/bundle.ts';
import type { ModelFailure } from './failure.ts';

const REQUEST = {
  system: 's',
  messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] }],
  tools: [],
};

let server: RawServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function eventsOf(bundle: ModelBundle): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const options = { signal: new AbortController().signal, clock: systemClock };
  for await (const event of streamModel(bundle, REQUEST, options)) events.push(event);
  return events;
}

async function run(
  kind: ProviderKind,
  answer: (response: ServerResponse) => void,
  key?: string,
): Promise<ModelEvent[]> {
  server = await startRawServer((response) => answer(response));
  return eventsOf(loopbackBundle(kind, server.url, key));
}

function failureOf(events: readonly ModelEvent[]): ModelFailure {
  const last = events.at(-1);
  if (last?.type !== 'failure') throw new Error(`no failure at the end: ${JSON.stringify(last)}`);
  return last.failure;
}

const claude = (type: string, message: string): unknown => ({ type: 'error', error: { type, message } });
const gpt = (type: string, code: string | null, message: string): unknown => ({
  error: { message, type, param: null, code },
});

interface HttpCase {
  name: string;
  kind: ProviderKind;
  status: number;
  body: unknown;
  reason: ModelFailure['reason'];
  retryable: boolean;
}

const HTTP_CASES: HttpCase[] = [
  {
    name: '429 whose words say something else',
    kind: 'openai',
    status: 429,
    body: gpt('server_error', null, 'The engine is currently overloaded'),
    reason: 'rate_limit',
    retryable: true,
  },
  {
    name: '400 unknown model',
    kind: 'openai-compatible',
    status: 400,
    body: gpt('invalid_request_error', 'model_not_found', 'The model `nope` does not exist'),
    reason: 'model_not_found',
    retryable: false,
  },
  {
    name: '400 unknown model in words only',
    kind: 'openai-compatible',
    status: 400,
    body: { error: 'Unknown model: nope' },
    reason: 'model_not_found',
    retryable: false,
  },
  {
    name: '404',
    kind: 'anthropic',
    status: 404,
    body: claude('not_found_error', 'model: nope'),
    reason: 'model_not_found',
    retryable: false,
  },
  {
    name: '401',
    kind: 'anthropic',
    status: 401,
    body: claude('authentication_error', 'invalid x-api-key'),
    reason: 'auth',
    retryable: false,
  },
  {
    name: '403',
    kind: 'openai',
    status: 403,
    body: gpt('invalid_request_error', null, 'Country not supported'),
    reason: 'auth',
    retryable: false,
  },
  {
    name: '400 API key not valid',
    kind: 'google',
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'API key not valid. Please pass a valid API key.',
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'API_KEY_INVALID' }],
      },
    },
    reason: 'auth',
    retryable: false,
  },
  {
    name: '402',
    kind: 'openai-compatible',
    status: 402,
    body: { error: { message: 'Insufficient credits', code: 402 } },
    reason: 'billing',
    retryable: false,
  },
  {
    name: '429 insufficient_quota',
    kind: 'openai',
    status: 429,
    body: gpt('insufficient_quota', 'insufficient_quota', 'You exceeded your current quota'),
    reason: 'billing',
    retryable: false,
  },
  {
    name: '400 credit balance',
    kind: 'anthropic',
    status: 400,
    body: claude('invalid_request_error', 'Your credit balance is too low'),
    reason: 'billing',
    retryable: false,
  },
  {
    name: '429',
    kind: 'anthropic',
    status: 429,
    body: claude('rate_limit_error', 'Too many'),
    reason: 'rate_limit',
    retryable: true,
  },
  {
    name: '429 of Gemini',
    kind: 'google',
    status: 429,
    body: {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
      },
    },
    reason: 'rate_limit',
    retryable: true,
  },
  {
    name: '503',
    kind: 'google',
    status: 503,
    body: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
    reason: 'overloaded',
    retryable: true,
  },
  {
    name: '529',
    kind: 'anthropic',
    status: 529,
    body: claude('overloaded_error', 'Overloaded'),
    reason: 'overloaded',
    retryable: true,
  },
  {
    name: '500',
    kind: 'anthropic',
    status: 500,
    body: claude('api_error', 'Internal'),
    reason: 'server_error',
    retryable: true,
  },
  { name: '408', kind: 'openai', status: 408, body: {}, reason: 'server_error', retryable: true },
  {
    name: '400 of another kind',
    kind: 'anthropic',
    status: 400,
    body: claude('invalid_request_error', 'messages: roles must alternate'),
    reason: 'bad_request',
    retryable: false,
  },
  {
    name: '400 prompt is too long',
    kind: 'anthropic',
    status: 400,
    body: claude('invalid_request_error', 'prompt is too long: 9001 tokens > 8000 maximum'),
    reason: 'context_overflow',
    retryable: false,
  },
  {
    name: '400 context_length_exceeded',
    kind: 'openai',
    status: 400,
    body: gpt(
      'invalid_request_error',
      'context_length_exceeded',
      "This model's maximum context length is 8192 tokens.",
    ),
    reason: 'context_overflow',
    retryable: false,
  },
  {
    name: '400 context size of llama.cpp',
    kind: 'openai-compatible',
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      },
    },
    reason: 'context_overflow',
    retryable: false,
  },
  {
    name: '400 input token count',
    kind: 'google',
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'The input token count (9001) exceeds the maximum number of tokens allowed (8000).',
        status: 'INVALID_ARGUMENT',
      },
    },
    reason: 'context_overflow',
    retryable: false,
  },
  {
    name: '400 content filter',
    kind: 'openai-compatible',
    status: 400,
    body: gpt('invalid_request_error', 'content_filter', 'The response was filtered'),
    reason: 'content_filter',
    retryable: false,
  },
];

test.each(HTTP_CASES)(
  'case 14: $kind $name → $reason, one request',
  async ({ kind, status, body, reason, retryable }) => {
    const failure = failureOf(await run(kind, (response) => sendJson(response, status, body)));
    expect(failure).toMatchObject({ reason, retryable, status });
    expect(failure.message).toMatch(new RegExp(`^HTTP ${status}`));
    expect(server?.requests).toHaveLength(1);
  },
);

test('a page of HTML from a proxy → its status, without the page', async () => {
  const events = await run('openai', (response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html><body>Bad gateway</body></html>');
  });
  expect(failureOf(events)).toMatchObject({ reason: 'server_error', message: 'HTTP 502' });
});

test('a redirect is not followed, so the key stays where it belongs (K4)', async () => {
  const events = await run('openai', (response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' });
    response.end();
  });
  expect(failureOf(events)).toMatchObject({ reason: 'bad_request', status: 307 });
});

test('case 14: connection refused → network', async () => {
  const gone = await startRawServer(() => undefined);
  await gone.close();
  const failure = failureOf(await eventsOf(loopbackBundle('anthropic', gone.url)));
  expect(failure).toMatchObject({ reason: 'network', status: null });
  expect(failure.message).toContain('connection refused');
});
