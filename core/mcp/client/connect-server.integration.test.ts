import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { isSameProcess, processIdentity } from '../../kit/process-tree/host-processes.ts';
import type { McpServerSettings } from '../../protocol/settings.ts';
import { connectServer, type ConnectedServer } from './connect-server.ts';
import { withVariables } from './variables.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'testing', 'mcp-server.ts');
const RUDE = join(import.meta.dirname, '..', '..', 'testing', 'rude-mcp-server.ts');
const { signal } = new AbortController();
const OPTIONS = { signal, onProgress: () => undefined };
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function connected(server: McpServerSettings): Promise<ConnectedServer> {
  const environment = { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1' };
  const found = await connectServer('files', server, {
    cwd: tmpdir(),
    environment,
    version: '1',
    clock: systemClock,
    signal,
  });
  if (!found.ok) throw new Error(found.error);
  closing.push(() => found.value.close());
  return found.value;
}

const stdio = (more: object = {}): McpServerSettings => ({ command: process.execPath, args: [PROGRAM], ...more });

test('a server on stdio: its tools, and its answers', async () => {
  const server = await connected(stdio());
  expect(server.tools.map(({ name }) => name)).toEqual(['echo', 'secret', 'child', 'fail', 'gone']);
  expect(await server.call('echo', { text: 'hi' }, OPTIONS)).toEqual({ isError: false, text: 'echo: hi', images: [] });
  expect(await server.call('fail', {}, OPTIONS)).toMatchObject({ isError: true, text: 'it went wrong' });
});

test('a server that is gone in the middle of a call, or broken from the start, is an answer in words and no exception', async () => {
  const server = await connected(stdio());
  expect(await server.call('gone', {}, OPTIONS)).toMatchObject({ isError: true });
  expect(server.isOpen).toBe(false);
  expect(await server.call('echo', {}, OPTIONS)).toMatchObject({ isError: true });
  const broken = await connectServer('x', stdio({ args: [PROGRAM, 'broken'] }), {
    cwd: tmpdir(),
    environment: {},
    version: '1',
    clock: systemClock,
    signal,
  });
  expect(broken).toMatchObject({ ok: false, error: expect.stringContaining('cannot start: no licence') as string });
});

test('C4: what a program of a server started ends with it', async () => {
  const server = await connected(stdio());
  const pid = Number((await server.call('child', {}, OPTIONS)).text);
  const child = await processIdentity(pid);
  await server.close();
  if (child === null) throw new Error('it was not there');
  expect(await isSameProcess(child)).toBe(false);
});

test('K4: variables are filled in from the environment, and what is secret does not come back in an answer', async () => {
  const settings = withVariables(stdio({ env: { TOKEN: '${MY_TOKEN}', OTHER: '${NONE:-plain}' } }), {
    MY_TOKEN: 'very-secret-value',
  });
  expect(settings).toMatchObject({ env: { TOKEN: 'very-secret-value', OTHER: 'plain' } });
  const server = await connected(settings);
  expect((await server.call('secret', {}, OPTIONS)).text).toBe('the token is [redacted]');
});

test('a server over HTTP gets its headers and gives its tools', async () => {
  const seen: (string | undefined)[] = [];
  const http = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const server = new Server({ name: 'web', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'look', inputSchema: { type: 'object' as const } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: 'text' as const, text: 'seen' }] }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    void server.connect(transport).then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    http.closeAllConnections();
    return new Promise((resolve) => http.close(resolve));
  });
  const { port } = http.address() as AddressInfo;
  const server = await connected({ url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: 'Bearer abc' } });
  expect(server.tools.map(({ name }) => name)).toEqual(['look']);
  expect((await server.call('look', {}, OPTIONS)).text).toBe('seen');
  expect(new Set(seen)).toEqual(new Set(['Bearer abc']));
});

test('B18: one tool that is described badly takes none of the others with it; what a server promises of its answers is not checked here', async () => {
  const server = await connected(stdio({ args: [RUDE] }));
  expect(server.tools.map(({ name, description, inputSchema }) => [name, description, inputSchema['type']])).toEqual([
    ['good', 'g', 'object'],
    ['no-type', '', 'object'],
    ['no-schema', '', 'object'],
    ['bad-promise', '', 'object'],
    ['slow-promise', '', 'object'],
    ['pictures', '', 'object'],
  ]);
  const call = async (name: string) => await server.call(name, {}, OPTIONS);
  expect(await call('good')).toEqual({ isError: false, text: 'fine', images: [] });
  expect(await call('bad-promise')).toMatchObject({ isError: false, text: '{"a":1}' });
  expect(await call('slow-promise')).toMatchObject({ isError: false, text: expect.stringContaining('aaa!') as string });
  const odd = await call('no-type');
  expect(odd.text).toContain('[hologram ]\nend');
  expect(odd.text.isWellFormed()).toBe(true);
});

test('B03, B05: a server that cannot be started says which program is not there, or its own last words', async () => {
  const place = { cwd: tmpdir(), version: '1', clock: systemClock, signal };
  const environment = { PATH: '/nowhere:/neither' };
  expect(await connectServer('x', { command: 'no-such-server' }, { ...place, environment })).toEqual({
    ok: false,
    error:
      'there is no program "no-such-server" in /nowhere:/neither. Give its whole path as "command" in the settings.',
  });
  const silent = await connectServer('x', stdio({ args: [RUDE, 'silent'] }), { ...place, environment: {} });
  expect(silent).toMatchObject({ ok: false, error: expect.stringMatching(/\(…kein Schlüssel\)$/) as string });
});
