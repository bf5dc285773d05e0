import { afterEach, expect, test } from 'vitest';
import type { ModelEvent } from '../stream/events.ts';
import { sendJson } from '../stream/raw-server.ts';
import { claude, failureOf, gpt, ProviderLab } from '../../testing/provider-lab.ts';
import type { ProviderKind } from '../models/bundle.ts';
import type { ModelFailure } from './failure.ts';

const lab = new ProviderLab();
afterEach(() => lab.dispose());

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
    const failure = failureOf(await lab.run(kind, (response) => sendJson(response, status, body)));
    expect(failure).toMatchObject({ reason, retryable, status });
    expect(failure.message).toMatch(new RegExp(`^HTTP ${status}`));
    expect(lab.requests).toBe(1);
  },
);

test('a page of HTML from a proxy → its status, without the page', async () => {
  const events = await lab.run('openai', (response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html><body>Bad gateway</body></html>');
  });
  expect(failureOf(events)).toMatchObject({ reason: 'server_error', message: 'HTTP 502' });
});

test('a redirect is not followed, so the key stays where it belongs (K4)', async () => {
  const events = await lab.run('openai', (response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' });
    response.end();
  });
  expect(failureOf(events)).toMatchObject({ reason: 'bad_request', status: 307 });
});

test('case 14: connection refused → network', async () => {
  const events: ModelEvent[] = [];
  const stream = await lab.stream('anthropic', () => undefined);
  await lab.dispose();
  for await (const event of stream) events.push(event);
  const failure = failureOf(events);
  expect(failure).toMatchObject({ reason: 'network', status: null });
  expect(failure.message).toContain('connection refused');
});
