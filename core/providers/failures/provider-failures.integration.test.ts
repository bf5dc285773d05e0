import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { ANSWERS, KINDS, event, loopbackBundle } from '../stream/dialects.ts';
import type { ModelEvent } from '../stream/events.ts';
import { sendJson, sendStream, startRawServer } from '../stream/raw-server.ts';
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

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('');
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

describe.each(KINDS)('%s: an answer that breaks off (B08)', (kind) => {
  const { begin, end } = ANSWERS[kind](['Par', 'tial']);

  test('B08: clean close without a finish reason → network, partial text kept', async () => {
    const events = await run(kind, (response) => sendStream(response, [begin]));
    expect(failureOf(events)).toMatchObject({ reason: 'network', retryable: true });
    expect(textOf(events)).toBe('Partial');
  });

  test('B08: nothing at all in a good answer → network', async () => {
    expect(failureOf(await run(kind, (response) => sendStream(response, [])))).toMatchObject({ reason: 'network' });
  });

  test('B08: socket reset after half an event → network, partial text kept', async () => {
    const events = await run(kind, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(begin + end.slice(0, 20), () => response.socket?.resetAndDestroy());
    });
    const failure = failureOf(events);
    expect(failure).toMatchObject({ reason: 'network', retryable: true });
    expect(textOf(events)).toBe('Partial');
  });

  test('B08: an event that is no JSON → server_error', async () => {
    const events = await run(kind, (response) => sendStream(response, [begin, 'data: {"oops\n\n', end]));
    expect(failureOf(events)).toMatchObject({ reason: 'server_error', retryable: true });
  });

  const errors: Record<ProviderKind, string> = {
    anthropic: `event: error\n${event(claude('overloaded_error', 'busy'))}`,
    'openai-compatible': `${event(gpt('overloaded_error', null, 'busy'))}data: [DONE]\n\n`,
    openai: event({ type: 'response.failed', response: { error: { code: 'server_is_overloaded', message: 'busy' } } }),
    google: event({ error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }),
  };

  test('B08: an error event after partial text → overloaded, message kept', async () => {
    const events = await run(kind, (response) => sendStream(response, [begin + errors[kind] + end]));
    const failure = failureOf(events);
    expect(failure).toMatchObject({ reason: 'overloaded', retryable: true });
    expect(failure.message).toContain('busy');
    expect(textOf(events)).toBe('Partial');
  });

  test('B08: an error event as the very first → overloaded, never an empty answer', async () => {
    const events = await run(kind, (response) => sendStream(response, [errors[kind]]));
    expect(failureOf(events)).toMatchObject({ reason: 'overloaded', retryable: true });
  });
});

test('B08: an answer that is not of the dialect → server_error', async () => {
  const call = event({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { arguments: '{}' } }] } }],
  });
  const events = await run('openai-compatible', (response) => sendStream(response, [call]));
  expect(failureOf(events)).toMatchObject({ reason: 'server_error', retryable: true });
});

test('case 13: an empty error beside good text is no error', async () => {
  const stream = `${event({ error: '', choices: [{ index: 0, delta: { content: 'good' }, finish_reason: 'stop' }] })}data: [DONE]\n\n`;
  expect((await run('openai-compatible', (response) => sendStream(response, [stream]))).at(-1)).toMatchObject({
    type: 'finish',
  });
});

test('an error in a good answer that is JSON, no stream → the error', async () => {
  const events = await run('openai-compatible', (response) =>
    sendJson(response, 200, gpt('invalid_request_error', 'model_not_found', 'no such model')),
  );
  expect(failureOf(events)).toMatchObject({ reason: 'model_not_found', retryable: false });
});

test('B08: a connection cut inside a tool call yields no tool call', async () => {
  const begin = event({
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'bash', arguments: '{"command":"ls"}' } }] },
      },
    ],
  });
  const events = await run('openai-compatible', (response) => sendStream(response, [begin]));
  expect(failureOf(events)).toMatchObject({ reason: 'network' });
  expect(events.filter((each) => each.type === 'tool_call')).toEqual([]);
});

test('case 51: a 401 that echoes the key does not tell it', async () => {
  const key = 'CANARY key/with+signs=1';
  const long = 'x'.repeat(480);
  for (const message of [`bad key ${key}`, `${long}${key}`, `Bearer ${key}`, JSON.stringify({ key })]) {
    const failure = failureOf(
      await run('anthropic', (response) => sendJson(response, 401, claude('authentication_error', message)), key),
    );
    expect(failure.message).not.toContain('CANARY');
    expect(failure.message.length).toBeLessThanOrEqual(500);
    await server?.close();
  }
});

test('a stop during the answer ends with aborted, not with a failure', async () => {
  let closed: () => void = () => undefined;
  const serverSawClose = new Promise<void>((resolve) => (closed = resolve));
  server = await startRawServer((response) => {
    response.on('close', closed);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(ANSWERS.anthropic(['Partial']).begin);
  });
  const stop = new AbortController();
  const events: ModelEvent[] = [];
  for await (const each of streamModel(loopbackBundle('anthropic', server.url), REQUEST, {
    signal: stop.signal,
    clock: systemClock,
  })) {
    events.push(each);
    if (each.type === 'text_delta') stop.abort();
  }
  expect(events.at(-1)).toEqual({ type: 'aborted' });
  await serverSawClose;
});

test('leaving the loop closes the connection', async () => {
  let closed: () => void = () => undefined;
  const serverSawClose = new Promise<void>((resolve) => (closed = resolve));
  server = await startRawServer((response) => {
    response.on('close', closed);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(ANSWERS.google(['Partial']).begin);
  });
  const options = { signal: new AbortController().signal, clock: systemClock };
  for await (const each of streamModel(loopbackBundle('google', server.url), REQUEST, options)) {
    if (each.type === 'text_delta') break;
  }
  await serverSawClose;
});
