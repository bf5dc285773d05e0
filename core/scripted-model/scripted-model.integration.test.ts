import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../kit/clock.ts';
import { instantScript } from './instant-script.ts';
import { startScriptedModel } from './scripted-model.ts';
import type { ScriptedModel, ScriptedModelOptions } from './scripted-model.ts';
import type { ConversationInput, Script, TurnInput } from './script-input.ts';

let server: ScriptedModel | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(script: Script, options: Partial<ScriptedModelOptions> = {}): Promise<ScriptedModel> {
  server = await startScriptedModel({ script, ...options });
  return server;
}

const withTurns = (...turns: TurnInput[]): Promise<ScriptedModel> => start({ conversations: [{ turns }] });

interface Message {
  role: string;
  content: string;
}

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });

function post(messages: Message[], init: { stream?: boolean; signal?: AbortSignal; model?: string } = {}) {
  const body = JSON.stringify({ model: init.model ?? 'm', stream: init.stream ?? true, messages });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer secret' };
  return fetch(`${server!.url}/v1/chat/completions`, { method: 'POST', body, headers, signal: init.signal ?? null });
}

/** The text of a chat stream; throws when the connection breaks. */
async function say(messages: Message[], init = {}): Promise<string> {
  return contentOf(await (await post(messages, init)).text());
}

function contentOf(stream: string): string {
  return [...stream.matchAll(/"delta":\{[^{}]*"content":("(?:[^"\\]|\\.)*")/g)]
    .map(([, text]) => JSON.parse(text!))
    .join('');
}

describe('routing', () => {
  it('takes the first conversation that matches by system, user, any text and model', async () => {
    const answer = (name: string, match: ConversationInput['match']): ConversationInput => ({
      name,
      match: match ?? {},
      turns: [name],
    });
    await start({
      conversations: [
        answer('by system', { system: 'auditor' }),
        answer('by user', { user: 'cart.*total' }),
        answer('by any', { any: 'said before' }),
        answer('by model', { model: '^small$' }),
        answer('the rest', undefined),
      ],
    });
    expect(await say([{ role: 'system', content: 'You are an auditor' }, user('x')])).toBe('by system');
    expect(await say([user('the cart\nand its total')])).toBe('by user');
    expect(await say([user('hello'), user('as I said before')])).toBe('by any');
    expect(await say([user('hello')], { model: 'small' })).toBe('by model');
    expect(await say([user('hello')])).toBe('the rest');
    expect(server?.requests.map((entry) => entry.conversation)).toEqual([
      'by system',
      'by user',
      'by any',
      'by model',
      'the rest',
    ]);
  });

  it('counts turns by assistant messages, so that nine tasks of one script run at once', async () => {
    await start({ conversations: [{ turns: ['first of {{first_user}}', 'second of {{first_user}}'] }] });
    const goals = Array.from({ length: 9 }, (_, index) => `task ${index + 1}`);
    const firsts = await Promise.all(goals.map((goal) => say([user(goal)])));
    const seconds = await Promise.all(goals.map((goal) => say([user(goal), assistant('…'), user('go on')])));
    expect(firsts).toEqual(goals.map((goal) => `first of ${goal}`));
    expect(seconds).toEqual(goals.map((goal) => `second of ${goal}`));
  });

  it('counts requests for each first user text by itself', async () => {
    await start({ conversations: [{ by: 'requests', turns: ['one', 'two'] }] });
    expect([await say([user('a')]), await say([user('a')]), await say([user('b')])]).toEqual(['one', 'two', 'one']);
  });

  it('counts requests of a whole conversation', async () => {
    await start({ conversations: [{ by: 'requests', per: 'conversation', turns: ['one', 'two'], repeat_last: true }] });
    expect([await say([user('a')]), await say([user('b')]), await say([user('c')])]).toEqual(['one', 'two', 'two']);
  });

  it('answers what comes after the last turn with `otherwise`', async () => {
    await start({ conversations: [{ turns: ['one'], otherwise: 'Noted: {{steer}}' }] });
    expect(await say([user('a'), assistant('one'), user('thanks')])).toBe('Noted: thanks');
  });

  it('refuses a request that nothing answers, and says why in the log', async () => {
    await start({ conversations: [{ match: { user: '^only this' }, turns: ['ok'] }] });
    const response = await post([user('something else')]);
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: expect.objectContaining({ message: expect.stringContaining('"something else"') as unknown }) as unknown,
      },
    ]);
    expect((await post([user('only this'), assistant('ok')])).status).toBe(400);
    expect(server?.requests.map((entry) => [entry.conversation, entry.turn, entry.end])).toEqual([
      [undefined, undefined, 'refused'],
      ['conversation 1', 1, 'refused'],
    ]);
  });

  it('refuses a request that an `expect` does not find its text in', async () => {
    await withTurns([{ expect: 'use cents' }, { text: 'ok' }]);
    expect((await post([user('Port it')])).status).toBe(400);
    expect(await say([user('Port it'), user('and use cents')])).toBe('ok');
    expect(server?.requests[0]?.problem).toBe('conversation 1, turn 1: the request does not match /use cents/s');
  });

  it('leaves out steps whose conditions do not hold', async () => {
    await withTurns('first', [
      { text: 'denied', when: { last_tool_result: 'not allowed' } },
      { text: 'ran', unless: { last_tool_result: 'not allowed' } },
      { text: ', steered', when: { steered: true } },
    ]);
    const tool = (content: string): Message => ({ role: 'tool', content });
    expect(await say([user('a'), assistant('first'), tool('it is not allowed')])).toBe('denied');
    expect(await say([user('a'), assistant('first'), tool('ok'), user('hurry')])).toBe('ran, steered');
  });

  it('takes what follows the goal in the first request for steering', async () => {
    await start({
      conversations: [{ turns: [[{ text: 'You said {{steer}}. ', when: { steered: true } }, { text: 'ran' }]] }],
    });
    expect(await say([user('a'), user('hurry')])).toBe('You said hurry. ran');
    expect(await say([user('a')])).toBe('ran');
  });

  it('starts to count again with a new script, whose text the next request gets', async () => {
    await start({ conversations: [{ by: 'requests', turns: ['old'] }] });
    expect(await say([user('a')])).toBe('old');
    server?.setScript({ conversations: [{ by: 'requests', turns: ['new'] }] });
    expect(await say([user('a')])).toBe('new');
  });

  it('fills templates in tool arguments from the body', async () => {
    await withTurns({
      tool_call: { name: 'read', arguments: { path: '{{json:messages.-1.content}}', n: [1, '{{model}}', '{{x}}'] } },
    });
    const reply = JSON.parse(await (await post([user('src/a.js')], { stream: false })).text()) as {
      choices: { message: { tool_calls: { function: { arguments: string } }[] } }[];
    };
    const text = reply.choices[0]!.message.tool_calls[0]!.function.arguments;
    expect(JSON.parse(text)).toEqual({ path: 'src/a.js', n: [1, 'm', '{{x}}'] });
  });
});

describe('time and gates', () => {
  it('streams up to a gate, waits there, and goes on when it is released', async () => {
    await withTurns([{ text: 'before' }, { wait_for: 'go' }, { text: ' and after' }]);
    const response = await post([user('a')]);
    const reader = response.body!.getReader();
    await server?.waitForGate('go');
    let seen = '';
    while (!seen.includes('before')) seen += Buffer.from((await reader.read()).value).toString();
    expect(seen).not.toContain('after');
    server?.release('go');
    for (let part = await reader.read(); !part.done; part = await reader.read())
      seen += Buffer.from(part.value).toString();
    expect(contentOf(seen)).toBe('before and after');
  });

  it('lets a counted number of replies through a gate, in order of arrival', async () => {
    await start({ conversations: [{ turns: [[{ wait_for: 'go' }, { text: '{{first_user}}' }]] }] });
    const done: string[] = [];
    const asked: Promise<number>[] = [];
    for (const goal of ['a', 'b', 'c']) {
      asked.push(say([user(goal)]).then((text) => done.push(text)));
      await server?.waitForGate('go', asked.length);
    }
    server?.release('go', 2);
    await Promise.all(asked.slice(0, 2));
    expect(done.sort()).toEqual(['a', 'b']);
    server?.release('go');
    await Promise.all(asked);
  });

  it('takes its delays from the injected clock, scaled', async () => {
    const waits: number[] = [];
    const clock: Clock = {
      now: () => 1_000,
      monotonic: () => 0,
      after: (ms, run) => {
        waits.push(ms);
        queueMicrotask(run);
        return () => undefined;
      },
      every: () => () => undefined,
    };
    const turns: TurnInput[] = [[{ delay_ms: 4_000 }, { text: 'abcdef', chunk_size: 2, chunk_delay_ms: 500 }]];
    await start({ conversations: [{ turns }] }, { clock, timeScale: 0.5 });
    expect(await say([user('a')])).toBe('abcdef');
    expect(waits).toEqual([2_000, 250, 250, 250]);
    expect(server?.requests[0]?.arrivedAt).toBe(1_000);
  });

  it('never splits a character between deltas', async () => {
    await withTurns({ text: '👩‍🔬🌍é', chunk_size: 1 });
    const stream = await (await post([user('a')])).text();
    expect(contentOf(stream)).toBe('👩‍🔬🌍é');
    expect(stream).not.toMatch(/\\ud8/);
  });

  it('tells of a request before and after it comes', async () => {
    await withTurns('ok', 'ok');
    const before = server?.waitForRequest((entry) => entry.turn === 1);
    await say([user('a')]);
    await say([user('a'), assistant('ok')]);
    expect((await before)?.index).toBe(1);
    expect((await server?.waitForRequest((entry) => entry.turn === 0))?.index).toBe(0);
    expect((await server?.waitForEnd((entry) => entry.turn === 1))?.end).toBe('sent');
  });
});

describe('faults', () => {
  it('sends nothing of a streamed reply while it waits before a fault', async () => {
    await withTurns([{ delay_ms: 1 }, { wait_for: 'go' }, { fault: { status: 400, message: 'too long' } }]);
    const answer = post([user('a')]);
    await server?.waitForGate('go');
    server?.release('go');
    expect((await answer).status).toBe(400);
    expect(await (await answer).text()).toContain('too long');
  });

  it('breaks the connection before a reply', async () => {
    await withTurns({ reset: true });
    await expect(post([user('a')])).rejects.toThrow();
    expect((await server?.waitForEnd(() => true))?.end).toBe('sent');
  });

  it('breaks the connection in the middle of a reply, after what came before it has arrived', async () => {
    await withTurns([{ text: 'half' }, { reset: true }]);
    const reader = (await post([user('a')])).body!.getReader();
    let seen = '';
    const readAll = async (): Promise<void> => {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        seen += Buffer.from(part.value).toString();
    };
    await expect(readAll()).rejects.toThrow();
    expect(contentOf(seen)).toBe('half');
  });

  it('ends a reply cleanly without a finish', async () => {
    await withTurns([{ text: 'half' }, { end_without_stop: true }]);
    const stream = await (await post([user('a')])).text();
    expect(contentOf(stream)).toBe('half');
    expect(stream).not.toMatch(/"finish_reason":"|\[DONE\]/);
  });

  it('falls silent until the client goes away, and logs that it did', async () => {
    await withTurns([{ text: 'half' }, { silence: true }]);
    const stopping = new AbortController();
    const response = await post([user('a')], { signal: stopping.signal });
    await response.body!.getReader().read();
    expect(server?.requests[0]?.end).toBeUndefined();
    stopping.abort();
    expect((await server?.waitForEnd(() => true))?.end).toBe('client_closed');
  });

  it('fails only the first times, then answers', async () => {
    await withTurns([{ fault: { status: 529 }, times: 2 }, { reset: true, times: 1 }, { text: 'at last' }]);
    expect([(await post([user('a')])).status, (await post([user('a')])).status]).toEqual([529, 529]);
    await expect(post([user('a')])).rejects.toThrow();
    expect(await say([user('a')])).toBe('at last');
    expect((await post([user('another task')])).status).toBe(529);
  });

  it('sends a body of its own in place of the dialect’s error', async () => {
    await withTurns({
      fault: { status: 502, body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } },
    });
    const response = await post([user('a')]);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      502,
      'text/html',
      '<html>Bad gateway</html>',
    ]);
  });

  it('sends raw bytes exactly, each chunk as a write of its own, cut inside a character', async () => {
    const euro = Buffer.from('data: {"x":"€"}\r\n\r\n');
    const raw = [
      { hex: euro.subarray(0, 13).toString('hex') },
      { base64: euro.subarray(13).toString('base64'), delay_ms: 1 },
      { text: 'data: [DONE]\r\n\r\n' },
    ];
    await withTurns({ raw });
    const response = await post([user('a')]);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toBe('data: {"x":"€"}\r\n\r\ndata: [DONE]\r\n\r\n');
  });

  it('puts raw bytes into a reply that goes on in its dialect', async () => {
    await withTurns([{ text: 'a' }, { raw: ': just a comment\n\n' }, { text: 'b' }]);
    const stream = await (await post([user('a')])).text();
    expect(stream).toContain(': just a comment\n\n');
    expect(contentOf(stream)).toBe('ab');
    expect(stream).toMatch(/\[DONE\]\n\n$/);
  });
});

describe('server', () => {
  it('answers everything from the instant script', async () => {
    await start(instantScript);
    expect(await say([user('a')])).toBe('Done.');
    expect(await say([user('a'), assistant('Done.'), user('b')])).toBe('Done.');
  });

  it('lists its models as OpenAI, Gemini and Ollama do', async () => {
    await start({ models: ['demo', 'other'], conversations: [{ turns: ['x'] }] });
    const get = async (path: string): Promise<unknown> => (await fetch(`${server!.url}${path}`)).json();
    expect(await get('/v1/models')).toMatchObject({ data: [{ id: 'demo' }, { id: 'other' }] });
    expect(await get('/v1beta/models')).toMatchObject({ models: [{ name: 'models/demo' }, { name: 'models/other' }] });
    expect(await get('/api/tags')).toMatchObject({ models: [{ name: 'demo' }, { name: 'other' }] });
    expect((await fetch(`${server!.url}/elsewhere`)).status).toBe(404);
  });

  it('ends open replies and waits at once when it is closed, and frees its port', async () => {
    const { port, close, waitForRequest, waitForGate, requests } = await withTurns([
      { text: 'x' },
      { wait_for: 'never' },
    ]);
    const reply = say([user('a')]);
    const never = waitForRequest((entry) => entry.turn === 7);
    await waitForGate('never');
    await Promise.all([close(), expect(reply).rejects.toThrow(), expect(never).rejects.toThrow('was closed')]);
    expect(requests[0]?.end).toBe('server_closed');
    server = await startScriptedModel({ script: instantScript, port });
    expect(server.port).toBe(port);
  });

  it('refuses to start on an invalid script', async () => {
    await expect(startScriptedModel({ script: { conversations: [] } })).rejects.toThrow('at least one conversation');
  });
});

it('answers what agents ask beside their requests: is anybody there, and how long is this', async () => {
  const lab = await withTurns('Hi.');
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`${lab.url}${path}`, { method: 'POST', body: JSON.stringify({ model: 'scripted-model' }) })).json();
  expect((await fetch(`${lab.url}/`, { method: 'HEAD' })).status).toBe(200);
  expect(await ask('/v1/messages/count_tokens?beta=true')).toEqual({ input_tokens: 7 });
  expect(await ask('/v1beta/models/scripted-model:countTokens')).toEqual({ totalTokens: 7 });
  expect(lab.requests).toEqual([]);
});
