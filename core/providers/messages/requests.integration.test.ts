import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { withExtras } from '../models/bundle.ts';
import type { ModelBundle, ProviderKind } from '../models/bundle.ts';
import { ANSWERS, KINDS, event, loopbackBundle } from '../stream/dialects.ts';
import type { ModelEvent } from '../stream/events.ts';
import { sendStream, startRawServer } from '../stream/raw-server.ts';
import type { RawServer, SeenRequest } from '../stream/raw-server.ts';
import { streamModel } from '../stream/stream-model.ts';
import type { Message, ModelRequest } from './message.ts';

let server: RawServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const HELLO: Message = { role: 'user', parts: [{ type: 'text', text: 'hi' }] };
const TOOL = {
  name: 'bash',
  description: 'run',
  inputSchema: { type: 'object', properties: { command: { type: 'string', format: 'x' } } },
};

async function serve(stream: string): Promise<RawServer> {
  server = await startRawServer((response) => sendStream(response, [stream]));
  return server;
}

async function eventsOf(bundle: ModelBundle, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const full = { system: 'sys', messages: [HELLO], tools: [], ...request };
  for await (const each of streamModel(bundle, full, { signal: new AbortController().signal, clock: systemClock }))
    events.push(each);
  return events;
}

async function requestOf(
  kind: ProviderKind,
  request: Partial<ModelRequest> = {},
  change = (bundle: ModelBundle) => bundle,
): Promise<SeenRequest> {
  const { begin, end } = ANSWERS[kind](['ok']);
  const { url, requests } = await serve(begin + end);
  const events = await eventsOf(change(loopbackBundle(kind, url)), request);
  expect(events.at(-1)).toMatchObject({ type: 'finish' });
  const seen = requests[0];
  if (!seen) throw new Error('no request came');
  await server?.close();
  return seen;
}

function chatCalls(...calls: [id: string, ...pieces: string[]][]): string {
  const start = calls.map(([id, first], index) => ({ index, id, function: { name: 'bash', arguments: first } }));
  const rest = calls.flatMap(([, , ...pieces], index) =>
    pieces.map((text) => ({ index, function: { arguments: text } })),
  );
  return [...start, ...rest].map((call) => event({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })).join('');
}

const chatEnd = (reason: string): string => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });

function claudeCall(json: string, stop: string, whole: boolean): string {
  return (
    event({
      type: 'message_start',
      message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    }) +
    event({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 't1', name: 'bash', input: {} },
    }) +
    event({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: json } }) +
    (whole ? event({ type: 'content_block_stop', index: 0 }) : '') +
    event({ type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: 5 } }) +
    event({ type: 'message_stop' })
  );
}

function callsOf(events: readonly ModelEvent[]) {
  return events.filter((each) => each.type === 'tool_call');
}

describe('tool arguments reach the loop as the model wrote them (B09)', () => {
  test.each([
    '',
    '[]',
    '"text"',
    '{"a":1} and more',
    '{"a":"line\nbreak"}',
    '{"a":"\\U0001F600"}',
    '{"command":"rm -rf build',
    '{"a":1}',
  ])('chat completions: %j', async (raw) => {
    const { url } = await serve(chatCalls(['c1', ...raw]) + chatEnd('tool_calls'));
    const events = await eventsOf(loopbackBundle('openai-compatible', url));
    expect(callsOf(events)).toEqual([
      { type: 'tool_call', id: 'c1', name: 'bash', raw_arguments: raw, complete: true },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
  });

  test("B09: cut by the token limit → max_tokens, and claude's call is not complete", async () => {
    const cut = '{"path":"a.txt","content":"line1\\nline2';
    const { url } = await serve(claudeCall(cut, 'max_tokens', false));
    const events = await eventsOf(loopbackBundle('anthropic', url));
    expect(callsOf(events)).toEqual([
      { type: 'tool_call', id: 't1', name: 'bash', raw_arguments: cut, complete: false },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'max_tokens' });
  });

  test("B09: a tool without arguments is an empty object in claude's dialect", async () => {
    const { url } = await serve(claudeCall('', 'tool_use', true));
    expect(callsOf(await eventsOf(loopbackBundle('anthropic', url)))).toMatchObject([
      { raw_arguments: '{}', complete: true },
    ]);
  });

  test('B09: parallel calls with interleaved pieces stay apart and in order', async () => {
    const { url } = await serve(
      chatCalls(['c1', '{"a"', ':1}'], ['c2', '{"b"', ':'], ['c3', '{"c"', ':3}']) + chatEnd('length'),
    );
    const events = await eventsOf(loopbackBundle('openai-compatible', url));
    expect(callsOf(events).map((call) => [call.id, call.raw_arguments])).toEqual([
      ['c1', '{"a":1}'],
      ['c2', '{"b":'],
      ['c3', '{"c":3}'],
    ]);
    expect(events.at(-1)).toMatchObject({ reason: 'max_tokens' });
  });

  test('calls beside "stop" are tool calls', async () => {
    const { url } = await serve(chatCalls(['c1', '{}']) + chatEnd('stop'));
    expect((await eventsOf(loopbackBundle('openai-compatible', url))).at(-1)).toMatchObject({ reason: 'tool_calls' });
  });

  test('a content filter ends with content_filter', async () => {
    const { url } = await serve(ANSWERS['openai-compatible'](['x']).begin + chatEnd('content_filter'));
    expect((await eventsOf(loopbackBundle('openai-compatible', url))).at(-1)).toMatchObject({
      reason: 'content_filter',
    });
  });
});

describe.each(KINDS)('%s: what is sent', (kind) => {
  test('K4: own key, extras over ours, the schema adapted', async () => {
    const seen = await requestOf(kind, { tools: [TOOL], effort: 'low' }, (bundle) =>
      withExtras(bundle, { headers: { 'X-Extra': 'e' }, extraBody: { extra: { a: 1 }, model: 'other' } }),
    );
    const key = {
      anthropic: 'x-api-key',
      google: 'x-goog-api-key',
      openai: 'authorization',
      'openai-compatible': 'authorization',
    }[kind];
    expect(String(seen.headers[key])).toContain('test-key-1');
    expect(seen.headers['x-extra']).toBe('e');
    expect(seen.body).toMatchObject({ extra: { a: 1 }, model: 'other' });
    const text = JSON.stringify(seen.body);
    expect(text).toContain('(format: x)');
    expect(text).not.toContain('"format":"x"');
  });

  test('K4: without a key none is sent, not even one from the environment', async () => {
    process.env['ANTHROPIC_API_KEY'] =
      process.env['OPENAI_API_KEY'] =
      process.env['GOOGLE_GENERATIVE_AI_API_KEY'] =
        'env-key';
    try {
      const seen = await requestOf(kind, {}, (bundle) => ({ ...bundle, key: null }));
      expect(
        seen.headers['authorization'] ?? seen.headers['x-api-key'] ?? seen.headers['x-goog-api-key'],
      ).toBeUndefined();
    } finally {
      delete process.env['ANTHROPIC_API_KEY'];
      delete process.env['OPENAI_API_KEY'];
      delete process.env['GOOGLE_GENERATIVE_AI_API_KEY'];
    }
  });

  test("a history with images, broken arguments, another model's reasoning and empty text", async () => {
    const messages: Message[] = [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'look' },
          { type: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgo=' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'FOREIGN', metadata: { elsewhere: { signature: 'ELSEWHERE' } } },
          { type: 'text', text: '' },
          { type: 'tool_call', id: 'c1', name: 'bash', raw_arguments: '{"cut' },
        ],
      },
      { role: 'tool', results: [{ id: 'c1', name: 'bash', text: 'arguments were cut', isError: true }] },
      { role: 'assistant', parts: [] },
    ];
    const text = JSON.stringify((await requestOf(kind, { messages })).body);
    expect(text).toContain('iVBORw0KGgo=');
    expect(text).toContain('invalid_arguments');
    expect(text).toContain('arguments were cut');
    expect(text).not.toContain('ELSEWHERE');
    if (kind !== 'openai-compatible') expect(text).not.toContain('FOREIGN');
  });
});

describe('what a provider attached comes back with the next request', () => {
  test('claude: signed reasoning', async () => {
    const begin = event({
      type: 'message_start',
      message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    });
    const thinking =
      event({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } }) +
      event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } }) +
      event({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'SIGNED' } }) +
      event({ type: 'content_block_stop', index: 0 });
    const { url, requests } = await serve(
      begin + thinking + ANSWERS.anthropic(['ok']).end.replaceAll('"index":0', '"index":1'),
    );
    const bundle = loopbackBundle('anthropic', url);
    const events = await eventsOf(bundle);
    expect(events).toContainEqual({ type: 'reasoning_delta', text: 'hm' });
    const last = events.at(-1);
    if (last?.type !== 'finish') throw new Error('no finish');
    const stored = JSON.parse(JSON.stringify(last.message)) as typeof last.message;
    await eventsOf(bundle, { messages: [HELLO, stored, HELLO] });
    expect(JSON.stringify(requests[1]?.body)).toContain('"thinking":"hm","signature":"SIGNED"');
  });

  test('openai: nothing is stored there, reasoning goes back encrypted', async () => {
    const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ENCRYPTED' };
    const { begin, end } = ANSWERS.openai(['ok']);
    const reasoning =
      event({ type: 'response.output_item.added', output_index: 5, item }) +
      event({ type: 'response.output_item.done', output_index: 5, item });
    const { url, requests } = await serve(begin + reasoning + end);
    const bundle = loopbackBundle('openai', url);
    const last = (await eventsOf(bundle)).at(-1);
    if (last?.type !== 'finish') throw new Error('no finish');
    await eventsOf(bundle, { messages: [HELLO, last.message, HELLO] });
    expect(requests[1]?.body['store']).toBe(false);
    expect(JSON.stringify(requests[1]?.body)).toContain('"encrypted_content":"ENCRYPTED"');
    expect(JSON.stringify(requests[1]?.body)).not.toContain('item_reference');
  });

  test('gemini: the signature of a call', async () => {
    const call = { functionCall: { name: 'bash', args: { command: 'ls' } }, thoughtSignature: 'SIGNED' };
    const { url, requests } = await serve(
      event({ candidates: [{ content: { parts: [call] }, finishReason: 'STOP' }] }),
    );
    const bundle = loopbackBundle('google', url);
    const last = (await eventsOf(bundle)).at(-1);
    if (last?.type !== 'finish') throw new Error('no finish');
    expect(last.reason).toBe('tool_calls');
    const [part] = last.message.parts;
    const id = part?.type === 'tool_call' ? part.id : '';
    await eventsOf(bundle, {
      messages: [HELLO, last.message, { role: 'tool', results: [{ id, name: 'bash', text: 'a.txt', isError: false }] }],
    });
    expect(JSON.stringify(requests[1]?.body)).toContain('"thoughtSignature":"SIGNED"');
  });
});

test('K1: claude caches the instructions and everything up to the newest message', async () => {
  const { body } = await requestOf('anthropic', {
    messages: [HELLO, { role: 'assistant', parts: [{ type: 'text', text: 'a' }] }, HELLO],
  });
  expect(JSON.stringify(body['system'])).toContain('cache_control');
  const messages = (body['messages'] as unknown[]).map((message) => JSON.stringify(message).includes('cache_control'));
  expect(messages).toEqual([false, false, true]);
});

test("the limit of an answer: asked, else the bundle's, else one that claude takes", async () => {
  expect((await requestOf('anthropic', { maxOutput: 7 })).body['max_tokens']).toBe(7);
  expect((await requestOf('anthropic')).body['max_tokens']).toBe(1000);
  expect((await requestOf('anthropic', {}, (bundle) => ({ ...bundle, maxOutput: null }))).body['max_tokens']).toBe(
    32_000,
  );
  expect(
    (await requestOf('openai-compatible', {}, (bundle) => ({ ...bundle, maxOutput: null }))).body['max_tokens'],
  ).toBeUndefined();
  const known = { model: 'gpt-5', maxOutput: 128_000 };
  expect(
    (await requestOf('openai', {}, (bundle) => ({ ...bundle, ...known }))).body['max_output_tokens'],
  ).toBeUndefined();
});
