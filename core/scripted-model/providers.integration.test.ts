import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterEach, describe, expect, it } from 'vitest';
import { startScriptedModel } from './scripted-model.ts';
import type { ScriptedModel } from './scripted-model.ts';
import type { Script } from './script-input.ts';

type Model = ReturnType<ReturnType<typeof createAnthropic>>;
type Options = Parameters<Model['doStream']>[0];
type Prompt = Options['prompt'];
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;
type Assistant = Extract<Prompt[number], { role: 'assistant' }>['content'];

const KEY = 'sk-never-in-the-log';

const PROVIDERS: { name: string; make: (url: string) => Model; reasons: boolean; cacheWrites: boolean }[] = [
  {
    name: '@ai-sdk/anthropic',
    make: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: KEY })('claude-test'),
    reasons: true,
    cacheWrites: true,
  },
  {
    name: '@ai-sdk/openai chat',
    make: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: KEY }).chat('gpt-test'),
    // Chat Completions has no field for reasoning text; the provider drops the one of compatible servers.
    reasons: false,
    cacheWrites: true,
  },
  {
    name: '@ai-sdk/openai responses',
    make: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: KEY }).responses('gpt-test'),
    reasons: true,
    cacheWrites: true,
  },
  {
    name: '@ai-sdk/openai-compatible',
    make: (url) =>
      createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, apiKey: KEY, includeUsage: true })('local-test'),
    reasons: true,
    cacheWrites: false,
  },
  {
    name: '@ai-sdk/google',
    make: (url) => createGoogle({ baseURL: `${url}/v1beta`, apiKey: KEY })('gemini-test'),
    reasons: true,
    cacheWrites: false,
  },
];

const TOOLS: Options['tools'] = [
  {
    type: 'function',
    name: 'read',
    description: 'Reads a file',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];

const USAGE = { input: 1000, cached_input: 300, cache_write: 50, output: 70, reasoning: 20 };

const TWO_TURNS: Script = {
  conversations: [
    {
      match: { system: 'careful engineer', user: '^Port the cart' },
      chunk_size: 5,
      turns: [
        [
          { reasoning: 'Two files matter here — größer als gedacht 🌍.' },
          { text: 'Reading both files first.' },
          { tool_call: { name: 'read', arguments: { path: 'src/cart.js' } } },
          { tool_call: { name: 'read', arguments: { path: 'src/tax.js' } } },
          { usage: USAGE },
        ],
        [{ text: 'Noted: “{{steer}}”. {{last_tool_result}}' }],
      ],
    },
  ],
};

let server: ScriptedModel | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(script: Script): Promise<ScriptedModel> {
  server = await startScriptedModel({ script });
  return server;
}

const opening = (goal = 'Port the cart to cents'): Prompt => [
  { role: 'system', content: 'You are a careful engineer.' },
  { role: 'user', content: [{ type: 'text', text: goal }] },
];

async function stream(model: Model, prompt: Prompt): Promise<Part[]> {
  const { stream: parts } = await model.doStream({ prompt, tools: TOOLS });
  const all: Part[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

function joined(parts: Part[], type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta'): string {
  return parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join('');
}

const finishOf = (parts: Part[]) => parts.find((part) => part.type === 'finish');
const callsOf = (parts: Part[]) => parts.filter((part) => part.type === 'tool-call');

/** What an agent loop sends back: the assistant's parts with their metadata, then the tool results. */
function answered(parts: Part[], steer: string): Prompt {
  const content: Assistant = [];
  for (const part of parts) {
    if (part.type === 'reasoning-end' && joined(parts, 'reasoning-delta') !== '') {
      const signed = parts.findLast(
        (other) => other.type === 'reasoning-delta' && other.providerMetadata !== undefined,
      );
      const providerOptions =
        part.providerMetadata ?? (signed as { providerMetadata?: never } | undefined)?.providerMetadata;
      content.push({ type: 'reasoning', text: joined(parts, 'reasoning-delta'), providerOptions });
    }
    if (part.type === 'text-end' && joined(parts, 'text-delta') !== '') {
      content.push({ type: 'text', text: joined(parts, 'text-delta'), providerOptions: part.providerMetadata });
    }
    if (part.type === 'tool-call') {
      const { toolCallId, toolName, input, providerMetadata } = part;
      content.push({
        type: 'tool-call',
        toolCallId,
        toolName,
        input: JSON.parse(input),
        providerOptions: providerMetadata,
      });
    }
  }
  const results = callsOf(parts).map((call, index) => ({
    type: 'tool-result' as const,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    output: { type: 'text' as const, value: `file ${index + 1}` },
  }));
  return [
    ...opening(),
    { role: 'assistant', content },
    { role: 'tool', content: results },
    { role: 'user', content: [{ type: 'text', text: steer }] },
  ];
}

describe.each(PROVIDERS)('$name', ({ make, reasons, cacheWrites }) => {
  it('streams reasoning, text and two parallel tool calls, then a steered second turn', async () => {
    const model = make((await start(TWO_TURNS)).url);
    const first = await stream(model, opening());
    expect(first.filter((part) => part.type === 'error')).toEqual([]);
    expect(joined(first, 'text-delta')).toBe('Reading both files first.');
    expect(joined(first, 'reasoning-delta')).toBe(reasons ? 'Two files matter here — größer als gedacht 🌍.' : '');
    expect(callsOf(first).map((call) => [call.toolName, JSON.parse(call.input)])).toEqual([
      ['read', { path: 'src/cart.js' }],
      ['read', { path: 'src/tax.js' }],
    ]);
    expect(new Set(callsOf(first).map((call) => call.toolCallId)).size).toBe(2);
    expect(finishOf(first)?.finishReason.unified).toBe('tool-calls');

    const second = await stream(model, answered(first, 'Keep the\n  old names'));
    expect(joined(second, 'text-delta')).toBe('Noted: “Keep the old names”. file 2');
    expect(finishOf(second)?.finishReason.unified).toBe('stop');
    expect(server?.requests.map(({ turn, problem, end }) => ({ turn, problem, end }))).toEqual([
      { turn: 0, problem: undefined, end: 'sent' },
      { turn: 1, problem: undefined, end: 'sent' },
    ]);
  });

  it('reports the five counts of a usage step, each once (R6)', async () => {
    const model = make((await start(TWO_TURNS)).url);
    const usage = finishOf(await stream(model, opening()))?.usage;
    // Without a count of its own for cache writes, a dialect counts them as plain input.
    expect(usage?.inputTokens).toMatchObject({ total: 1350, noCache: cacheWrites ? 1000 : 1050, cacheRead: 300 });
    if (cacheWrites) expect(usage?.inputTokens.cacheWrite).toBe(50);
    expect(usage?.outputTokens).toMatchObject({ total: 90, text: 70, reasoning: 20 });
  });

  it('gives the same reply as one message to a client that does not stream', async () => {
    const model = make((await start(TWO_TURNS)).url);
    const reply = await model.doGenerate({ prompt: opening(), tools: TOOLS });
    const texts = reply.content.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
    const calls = reply.content.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.input)] : []));
    const thoughts = reply.content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
    expect(texts).toEqual(['Reading both files first.']);
    expect(calls).toEqual([{ path: 'src/cart.js' }, { path: 'src/tax.js' }]);
    expect(thoughts).toEqual(reasons ? ['Two files matter here — größer als gedacht 🌍.'] : []);
    expect(reply.finishReason.unified).toBe('tool-calls');
    expect(reply.usage.inputTokens.total).toBe(1350);
  });

  it.each([
    ['max_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['end', 'stop'],
  ] as const)('says the stop reason %s', async (stop, unified) => {
    const model = make((await start({ conversations: [{ turns: [[{ text: 'Cut' }, { stop }]] }] })).url);
    expect(finishOf(await stream(model, opening()))?.finishReason.unified).toBe(unified);
  });

  it('answers a fault in the words of its dialect, with its headers', async () => {
    const fault = { status: 429, message: 'Too many requests for this key.', headers: { 'retry-after': '7' } };
    const model = make((await start({ conversations: [{ turns: [[{ fault, times: 1 }, { text: 'Now.' }]] }] })).url);
    await expect(stream(model, opening())).rejects.toMatchObject({
      statusCode: 429,
      isRetryable: true,
      message: fault.message,
      responseHeaders: expect.objectContaining({ 'retry-after': '7' }) as unknown,
    });
    expect(joined(await stream(model, opening()), 'text-delta')).toBe('Now.');
  });

  it('puts an error event into a reply that has begun', async () => {
    const turn = [{ text: 'So far so good. ' }, { stream_error: { message: 'Overloaded, try again.' } }];
    const model = make((await start({ conversations: [{ turns: [turn] }] })).url);
    const parts = await stream(model, opening());
    expect(joined(parts, 'text-delta')).toBe('So far so good. ');
    expect(
      JSON.stringify(parts.filter((part) => part.type === 'error').map((part) => messageOf(part.error))),
    ).toContain('Overloaded, try again.');
  });

  it('keeps the key out of the request log', async () => {
    const model = make((await start(TWO_TURNS)).url);
    await stream(model, opening());
    const [entry] = server?.requests ?? [];
    expect(Object.values(entry?.headers ?? {})).toContain('[redacted]');
    expect(JSON.stringify(entry)).not.toContain(KEY);
  });

  it('survives its bytes being cut inside characters and lines that end in CRLF', async () => {
    const [conversation] = TWO_TURNS.conversations;
    const wire = { newline: 'crlf', split_bytes: 3, comments: true } as const;
    const model = make((await start({ conversations: [{ ...conversation!, wire }] })).url);
    const parts = await stream(model, opening());
    expect(parts.filter((part) => part.type === 'error')).toEqual([]);
    expect(joined(parts, 'reasoning-delta')).toBe(reasons ? 'Two files matter here — größer als gedacht 🌍.' : '');
    expect(callsOf(parts)).toHaveLength(2);
  });
});

const messageOf = (error: unknown): unknown => (error instanceof Error ? error.message : error);

it.each(PROVIDERS.filter(({ name }) => name !== '@ai-sdk/google'))(
  '$name streams tool arguments in deltas, also when they are cut',
  async ({ make }) => {
    const raw = '{"path": "src/cart.js", "limit": ';
    const script: Script = {
      conversations: [{ chunk_size: 4, turns: [[{ tool_call: { name: 'read', raw_arguments: raw } }]] }],
    };
    const parts = await stream(make((await start(script)).url), opening());
    const deltas = parts.filter((part) => part.type === 'tool-input-delta');
    expect(deltas.length).toBeGreaterThan(3);
    expect(joined(parts, 'tool-input-delta')).toBe(raw);
  },
);

it('@ai-sdk/google is told of cut arguments by the finish reason, as this API sends calls whole', async () => {
  const script: Script = { conversations: [{ turns: [[{ tool_call: { name: 'read', raw_arguments: '{"pa' } }]] }] };
  const google = PROVIDERS.find(({ name }) => name === '@ai-sdk/google');
  const parts = await stream(google!.make((await start(script)).url), opening());
  expect(callsOf(parts)).toEqual([]);
  expect(finishOf(parts)?.finishReason).toMatchObject({ unified: 'error', raw: 'MALFORMED_FUNCTION_CALL' });
});
