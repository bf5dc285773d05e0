import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { connect } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BridgeHandlers } from './bridge-server.ts';
import type { BridgeOffer } from './bridge-tools.ts';
import { LineTransport, MAX_MESSAGE_BYTES } from './line-transport.ts';
import { openBridge, type Bridge } from './open-bridge.ts';

interface Answer {
  isError: boolean;
  text: string;
}

let folder: string;
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'bridge-')), 'mcp');
});

afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
  await rm(join(folder, '..'), { recursive: true });
});

/** Handlers whose calls are answered by hand. */
function recorded() {
  const calls: { id: string; args: unknown; answer: (answer: Answer) => void }[] = [];
  const listeners: (() => void)[] = [];
  const handlers: BridgeHandlers = {
    call: (id, _tool, args) =>
      new Promise((answer) => {
        calls.push({ id, args, answer });
        for (const listener of listeners.splice(0)) listener();
      }),
    ask: ({ title, detail }) => Promise.resolve(title === 'Nobody?' ? null : `${title}|${detail}`),
    reportResult: (output) => ({ isError: false, text: JSON.stringify(output) }),
  };
  const count = async (n: number): Promise<void> => {
    while (calls.length < n) await new Promise<void>((resolve) => listeners.push(resolve));
  };
  return { calls, handlers, count };
}

async function bridge(handlers: BridgeHandlers, offer: Partial<BridgeOffer> = {}, at = folder): Promise<Bridge> {
  const made = await openBridge({
    handlers,
    offer: { delegate: true, ask: true, outputSchema: null, ...offer },
    folder: at,
  });
  opened.push(made);
  return made;
}

/** A real client that starts the program as an agent does. */
async function agent({ server }: Bridge): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  const { command, args, env } = server;
  await client.connect(new StdioClientTransport({ command, args: [...args], env: { ...env } }));
  opened.push(client);
  return client;
}

const text = (result: unknown): string => {
  const { content } = result as { content: { text: string }[] };
  return content.map((part) => part.text).join('');
};

test('an agent lists exactly the tools that it is offered, the delegate tool with the text of its run (K6)', async () => {
  const { handlers } = recorded();
  const outputSchema = { type: 'array', items: { type: 'string' } };
  const full = await bridge(handlers, { delegateDescription: 'Limits: 3 runs.', outputSchema });
  expect(full.listed).toBe(false);
  const { tools } = await (await agent(full)).listTools();
  expect(tools.map(({ name }) => name)).toEqual(['delegate_task', 'ask_user', 'report_result']);
  expect(tools[0]?.description).toBe('Limits: 3 runs.');
  expect(tools[2]?.inputSchema.properties).toEqual({ result: outputSchema });
  expect(full.listed).toBe(true);
  const none = await bridge(handlers, { delegate: false, ask: false });
  expect((await (await agent(none)).listTools()).tools).toEqual([]);
  expect(text(await (await agent(none)).callTool({ name: 'delegate_task', arguments: {} }))).toContain('no tool');
});

test('calls reach the handlers each with an id of its own, and their answers the agent', async () => {
  const { handlers, calls, count } = recorded();
  const client = await agent(await bridge(handlers));
  const first = client.callTool({ name: 'delegate_task', arguments: { goal: 'Write a parser' } });
  const second = client.callTool({ name: 'delegate_task', arguments: { goal: 'Write a parser' } });
  await count(2);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  expect(calls[0]?.args).toEqual({ goal: 'Write a parser' });
  calls[1]?.answer({ isError: true, text: 'refused' });
  calls[0]?.answer({ isError: false, text: 'done' });
  expect(await first).toMatchObject({ isError: false, content: [{ text: 'done' }] });
  expect(await second).toMatchObject({ isError: true, content: [{ text: 'refused' }] });
});

test('a call that its client gave up and sends again is the same call, also over a new connection (P7)', async () => {
  const { handlers, calls, count } = recorded();
  const made = await bridge(handlers);
  const client = await agent(made);
  const givenUp = new AbortController();
  const first = client.callTool(
    { name: 'delegate_task', arguments: { goal: 'Write a parser', wait: true } },
    undefined,
    {
      signal: givenUp.signal,
    },
  );
  await count(1);
  givenUp.abort();
  await expect(first).rejects.toThrow();
  const again = client.callTool({ name: 'delegate_task', arguments: { wait: true, goal: 'Write a parser' } });
  // A list goes the same way behind it: when it was taken, the repeated call was too.
  void client.callTool({ name: 'delegate_task', arguments: { action: 'list' } }).catch(() => undefined);
  await count(2);
  await client.close();
  await expect(again).rejects.toThrow();
  calls[0]?.answer({ isError: false, text: 'parsed' });
  const other = await agent(made);
  const third = await other.callTool({ name: 'delegate_task', arguments: { goal: 'Write a parser', wait: true } });
  expect(text(third)).toBe('parsed');
  // What was taken once is not kept: the same words are a new call now.
  const fourth = other.callTool({ name: 'delegate_task', arguments: { goal: 'Write a parser', wait: true } });
  await count(3);
  calls[2]?.answer({ isError: false, text: 'parsed anew' });
  expect(text(await fourth)).toBe('parsed anew');
});

test('P2, P6: what came of calls that the client gave up is brought by the next one that waits, once, beside its own', async () => {
  const { handlers, calls, count } = recorded();
  const client = await agent(await bridge(handlers));
  const delegate = (args: Record<string, unknown>, signal?: AbortSignal) =>
    client.callTool({ name: 'delegate_task', arguments: args }, undefined, signal === undefined ? {} : { signal });
  const results = ['deleg_00000001', 'deleg_00000002', 'deleg_00000003'].map((id) => `Result of a set (${id})`);
  for (const [at, text] of results.entries()) {
    const givenUp = new AbortController();
    const call = delegate({ goal: `Write part ${at}`, wait: true }, givenUp.signal);
    await count(at + 1);
    givenUp.abort();
    await expect(call).rejects.toThrow();
    // The last one comes while the next call waits, and that one is told of it too.
    if (at < 2) calls[at]?.answer({ isError: false, text });
  }
  const waiting = delegate({ action: 'wait' });
  await count(4);
  calls[2]?.answer({ isError: false, text: results[2] ?? '' });
  calls[3]?.answer({ isError: false, text: results[2] ?? '' });
  expect(text(await waiting)).toBe(results.join('\n\n'));
  const nothing = 'There is nothing to wait for: no delegation is open, and you have all results.';
  const again = delegate({ action: 'wait' });
  await count(5);
  calls[4]?.answer({ isError: false, text: nothing });
  expect(text(await again)).toBe(nothing);
});

test('P6: a wait that the client gave up, or for one delegation, takes nothing that belongs to another', async () => {
  const { handlers, calls, count } = recorded();
  const client = await agent(await bridge(handlers));
  const delegate = (args: Record<string, unknown>, signal?: AbortSignal) =>
    client.callTool({ name: 'delegate_task', arguments: args }, undefined, signal === undefined ? {} : { signal });
  const giveUp = async (args: Record<string, unknown>, text: string): Promise<void> => {
    const givenUp = new AbortController();
    const n = calls.length;
    const call = delegate(args, givenUp.signal);
    await count(n + 1);
    givenUp.abort();
    await expect(call).rejects.toThrow();
    calls[n]?.answer({ isError: false, text });
  };
  await giveUp({ goal: 'Write a parser' }, 'Result (deleg_00000001)');
  await giveUp({ action: 'wait', delegation_id: 'deleg_00000002' }, 'Result (deleg_00000002)');
  const one = delegate({ action: 'wait', delegation_id: 'deleg_00000003' });
  await count(3);
  calls[2]?.answer({ isError: false, text: 'Result (deleg_00000003)' });
  expect(text(await one)).toBe('Result (deleg_00000003)');
  const all = delegate({ action: 'wait' });
  await count(4);
  calls[3]?.answer({
    isError: false,
    text: 'There is nothing to wait for: no delegation is open, and you have all results.',
  });
  expect(text(await all)).toBe('Result (deleg_00000001)\n\nResult (deleg_00000002)');
});

test('ask_user gives the words of the person, and says so when nobody answers', async () => {
  const { handlers } = recorded();
  const client = await agent(await bridge(handlers));
  const answered = await client.callTool({ name: 'ask_user', arguments: { question: 'Which?', detail: 'a or b' } });
  expect(answered).toMatchObject({ isError: false, content: [{ text: 'Which?|a or b' }] });
  expect(await client.callTool({ name: 'ask_user', arguments: { question: 'Nobody?' } })).toMatchObject({
    isError: true,
  });
  expect(await client.callTool({ name: 'ask_user', arguments: {} })).toMatchObject({ isError: true });
});

test('report_result hands over an object as it is and anything else out of its field (P8)', async () => {
  const { handlers } = recorded();
  const object = await agent(await bridge(handlers, { outputSchema: { properties: { n: {} } } }));
  expect(text(await object.callTool({ name: 'report_result', arguments: { n: 1 } }))).toBe('{"n":1}');
  const list = await agent(await bridge(handlers, { outputSchema: { type: 'array' } }));
  expect(text(await list.callTool({ name: 'report_result', arguments: { result: [1] } }))).toBe('[1]');
  expect(await list.callTool({ name: 'report_result', arguments: {} })).toMatchObject({ isError: true });
});

test('nothing secret is in arguments or environment, the place is private, and a stranger is sent away (K4)', async () => {
  const { handlers } = recorded();
  const { server } = await bridge(handlers);
  const file = server.args.at(-1) ?? '';
  const { address, token } = JSON.parse(await readFile(file, 'utf8')) as { address: string; token: string };
  expect(JSON.stringify(server)).not.toContain(token);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const stranger = connect(address);
  let heard = '';
  stranger.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  stranger.write(`${'0'.repeat(64)}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
  await new Promise((resolve) => stranger.once('close', resolve));
  expect(heard).toBe('');
});

test('a line without an end is not kept for ever: its connection is ended, and lines that are no messages cost only themselves', async () => {
  const stream = new PassThrough();
  const transport = new LineTransport(stream, Buffer.alloc(0));
  const heard: unknown[] = [];
  const faults: Error[] = [];
  transport.onmessage = (message) => void heard.push(message);
  transport.onerror = (error) => void faults.push(error);
  await transport.start();
  stream.emit('data', Buffer.from('no message\n{"jsonrpc":"2.0","method":"ping"}\n'));
  expect([heard.length, faults.length, stream.destroyed]).toEqual([1, 1, false]);
  stream.emit('data', Buffer.alloc(MAX_MESSAGE_BYTES + 1));
  expect([heard.length, faults.length, stream.destroyed]).toEqual([1, 2, true]);
});

test('the program of an agent ends when the bridge closes, and nothing of the place is left, also at a long path', async () => {
  const { handlers } = recorded();
  const long = join(folder, 'x'.repeat(110));
  const made = await bridge(handlers, {}, long);
  const file = made.server.args.at(-1) ?? '';
  const { address } = JSON.parse(await readFile(file, 'utf8')) as { address: string };
  const client = await agent(made);
  const closed = new Promise<void>((resolve) => (client.onclose = resolve));
  await made.close();
  await closed;
  await expect(stat(address)).rejects.toThrow();
  await expect(stat(file)).rejects.toThrow();
  opened.length = 0;
});
