import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { systemRandom } from '../../kit/random.ts';
import { createFakeCore } from '../../testing/fake-core.ts';
import { createRouter, type ApiRouter } from '../api/router.ts';
import type { ApiClient } from './local-connection.ts';
import { startHttpServer, type HttpServer } from './http-server.ts';

let folder: string;
let server: HttpServer;
let core: ReturnType<typeof createFakeCore>;
let logged: string[];

const log = (fields: Record<string, unknown>, message: string): void =>
  void logged.push(JSON.stringify([fields, message]));
const logger: Logger = { debug: log, info: log, warn: log, error: log };

async function start(
  port = 0,
  router: ApiRouter | Promise<ApiRouter> = createRouter(core.service, core.hub, logger),
  given?: string,
): ReturnType<typeof startHttpServer> {
  const rendererFolder = join(folder, 'renderer');
  return startHttpServer({
    port,
    host: '127.0.0.1',
    token: given,
    router,
    rendererFolder,
    clock: systemClock,
    random: systemRandom,
    logger,
  });
}

beforeEach(async () => {
  logged = [];
  folder = mkdtempSync(join(tmpdir(), 'serve-'));
  mkdirSync(join(folder, 'renderer', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'renderer', 'index.html'), '<!doctype html><title>Espalier</title>');
  writeFileSync(join(folder, 'renderer', 'assets', 'main-abc123.js'), 'export {};');
  writeFileSync(join(folder, 'secret.txt'), 'SECRET');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'renderer', 'link.txt'));
  core = createFakeCore();
  const started = await start();
  if (!started.ok) throw new Error(started.error.message);
  server = started.value;
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Sends exactly these bytes and answers everything that comes back until the server closes. */
function raw(lines: readonly string[], body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    socket.setTimeout(30_000, () => socket.destroy());
  });
}

const host = (): string => `127.0.0.1:${server.port}`;
const origin = (): string => `http://${host()}`;
const status = (answer: string): number => Number(answer.split(' ')[1]);
const token = (): string => new URL(server.url).hash.slice('#token='.length);

/** A request with sane headers; each may be replaced or, as null, left out. */
function request(line: string, headers: Record<string, string | null> = {}, body = ''): Promise<string> {
  const all: Record<string, string | null> = {
    Host: host(),
    Connection: 'close',
    ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return raw([`${line} HTTP/1.1`, ...lines], body);
}

function session(headers: Record<string, string | null> = {}, given = token()): Promise<string> {
  const json = { 'Content-Type': 'application/json', Origin: origin(), ...headers };
  return request('POST /session', json, JSON.stringify({ token: given }));
}

async function cookie(): Promise<string> {
  return /Set-Cookie: ([^;]+)/i.exec(await session())?.[1] ?? '';
}

const upgrade = (headers: Record<string, string | null> = {}): Promise<string> =>
  request('GET /rpc', {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    Origin: origin(),
    ...headers,
  });

describe('the page', () => {
  test('is served without a session, holds no data, and may load nothing from elsewhere', async () => {
    const answer = await request('GET /');
    expect(status(answer)).toBe(200);
    expect(answer).toContain('Content-Type: text/html; charset=utf-8');
    expect(answer).toContain('Cache-Control: no-store');
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "frame-ancestors 'none'",
      `connect-src 'self' ws://${host()}`,
    ]) {
      expect(answer).toContain(part);
    }
    expect(answer).toContain('X-Content-Type-Options: nosniff');
    expect(answer).toContain('Referrer-Policy: no-referrer');
    expect(answer).not.toMatch(/access-control/i);
  });

  test('its assets carry their hash and are kept for ever', async () => {
    const answer = await request('GET /assets/main-abc123.js');
    expect(answer).toContain('Content-Type: text/javascript');
    expect(answer).toContain('Cache-Control: public, max-age=31536000, immutable');
    expect(status(await request('HEAD /assets/main-abc123.js'))).toBe(200);
  });

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
    '//secret.txt',
    '/link.txt',
    '/%00',
    '/%',
    '/assets',
  ])('no path leads out of its folder: %s', async (path) => {
    const answer = await request(`GET ${path}`, { Cookie: await cookie() });
    expect(status(answer)).toBe(404);
    expect(answer).not.toContain('SECRET');
  });

  test('a rebuilt page is found without a restart', async () => {
    writeFileSync(join(folder, 'renderer', 'assets', 'new-def456.js'), 'new');
    await expect.poll(async () => status(await request('GET /assets/new-def456.js'))).toBe(200);
  });
});

describe('B37, case 53: who is let in', () => {
  test('without a token everything but the page is 401', async () => {
    for (const line of [
      'GET /rpc',
      'GET /api/runs',
      'GET /session',
      'POST /rpc',
      'PUT /',
      'DELETE /session',
      'GET /x',
    ]) {
      expect([line, status(await request(line))]).toEqual([line, 401]);
    }
    expect(status(await upgrade())).toBe(401);
    expect(core.calls).toEqual([]);
  });

  test('a wrong Host is 403, also with a session and for the page', async () => {
    const Cookie = await cookie();
    for (const Host of [
      `evil.example:${server.port}`,
      'localhost',
      '127.0.0.1:1',
      `127.0.0.1.evil.example:${server.port}`,
      '',
    ]) {
      expect([Host, status(await request('GET /', { Host, Cookie }))]).toEqual([Host, 403]);
      expect([Host, status(await upgrade({ Host, Cookie, Origin: `http://${Host}` }))]).toEqual([Host, 403]);
    }
    expect(status(await request('GET /', { Host: `localhost:${server.port}` }))).toBe(200);
  });

  test('a foreign Origin is 403 for every method and for the WebSocket, also with a session', async () => {
    const Cookie = await cookie();
    for (const Origin of ['http://evil.example', 'null', `https://${host()}`, `http://localhost:${server.port}`]) {
      expect([Origin, status(await session({ Origin }))]).toEqual([Origin, 403]);
      expect([Origin, status(await request('GET /rpc', { Origin, Cookie }))]).toEqual([Origin, 403]);
      expect([Origin, status(await upgrade({ Origin, Cookie }))]).toEqual([Origin, 403]);
    }
    expect(status(await upgrade({ Origin: null, Cookie }))).toBe(403);
    expect(core.calls).toEqual([]);
  });

  test('a form of another page is 415, or 403 by its origin', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', null]) {
      expect([type, status(await session({ 'Content-Type': type }))]).toEqual([type, 415]);
      expect(status(await session({ 'Content-Type': type, Origin: 'http://evil.example' }))).toBe(403);
    }
  });

  test('a wrong token, none, or an endless one gives no session', async () => {
    for (const wrong of ['', 'x', token().slice(1), `${token()}0`, token().toUpperCase().replace('A', 'B')]) {
      const answer = await session({}, wrong);
      expect([wrong, status(answer)]).toEqual([wrong, 401]);
      expect(answer).not.toMatch(/set-cookie/i);
    }
    const json = { 'Content-Type': 'application/json', Origin: origin() };
    expect(status(await request('POST /session', json, 'not json'))).toBe(401);
    expect(status(await request('POST /session', json, JSON.stringify({ token: 'x'.repeat(10_000) })))).toBe(413);
    expect(status(await request(`GET /rpc?token=${token()}`))).toBe(401);
  });

  test('the right token gives a cookie that no script and no other site can use', async () => {
    const answer = await session();
    expect(status(answer)).toBe(204);
    expect(answer).toMatch(/Set-Cookie: espalier_\d+=[0-9a-f]{32}\.[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\//);
    expect(answer).not.toContain(token());
    expect(token()).toMatch(/^[0-9a-f]{64}$/);
  });

  test('a GET with a session changes nothing: the API is spoken over WebSocket alone', async () => {
    const Cookie = await cookie();
    expect(status(await request('GET /rpc', { Cookie }))).toBe(426);
    expect(status(await request('GET /rpc/projects/remove?data=%7B%7D', { Cookie }))).toBe(404);
    expect(status(await request('POST /rpc', { Cookie, Origin: origin() }))).toBe(405);
    expect(core.calls).toEqual([]);
  });

  test('no answer allows other origins, and no log holds the token', async () => {
    const answers = [
      await request('OPTIONS /session', { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' }),
      await session(),
      await session({}, 'wrong'),
      await upgrade(),
    ];
    expect(answers.join('')).not.toMatch(/access-control-allow/i);
    expect(logged.join('')).not.toContain(token());
    expect(logged.length).toBeGreaterThan(0);
  });

  test('only the loopback address is listened on', async () => {
    const other = await new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.2');
      socket.on('connect', () => resolve('connected'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      socket.on('close', () => socket.destroy());
    });
    expect(other).toBe('ECONNREFUSED');
  });

  test('bytes that are no HTTP cost the connection alone', async () => {
    expect(await raw(['\x16\x03\x01nonsense'])).not.toContain('200');
    expect(status(await request('GET /'))).toBe(200);
  });
});

describe('the API over WebSocket', () => {
  async function openSocket(): Promise<WebSocket> {
    const socket = new WebSocket(`ws://${host()}/rpc`, { origin: origin(), headers: { cookie: await cookie() } });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return socket;
  }

  test('with cookie and origin the API answers, and a closed client is forgotten', async () => {
    const socket = await openSocket();
    const client: ApiClient = createORPCClient(new RPCLink({ websocket: socket }));
    expect((await client.app.info()).boot).toBe('boot_fake');
    expect(core.calls[0]?.caller).toMatchObject({ client: 'browser' });
    const feed = await client.live.subscribe({ client: 'Chrome', can_answer: true, scopes: [] });
    expect(await feed.next()).toMatchObject({ value: { type: 'hello' } });
    expect([server.clients, core.hub.canAnswer]).toEqual([1, true]);
    socket.terminate();
    await expect.poll(() => [server.clients, core.hub.canAnswer]).toEqual([0, false]);
  });

  test('a message beyond the largest batch ends the connection alone', async () => {
    const socket = await openSocket();
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.send('x'.repeat(40 * 1024 * 1024));
    expect([1006, 1009]).toContain(await closed);
    expect(status(await request('GET /'))).toBe(200);
  });

  test('another path is no API', async () => {
    expect(status(await upgrade({ Cookie: 'x' }))).toBe(401);
    const answer = await request('GET /other', {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      Origin: origin(),
      Cookie: await cookie(),
    });
    expect(status(answer)).toBe(404);
  });

  test('close ends all clients and frees the port', async () => {
    const socket = await openSocket();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const { port } = server;
    await server.close();
    await closed;
    const again = await start(port);
    if (!again.ok) throw new Error(again.error.message);
    server = again.value;
    expect(server.port).toBe(port);
  });

  test('before there is a core the page is given out and a session begun; a client waits, and is served or cut off', async () => {
    for (const comes of [true, false]) {
      await server.close();
      const router = Promise.withResolvers<ApiRouter>();
      const started = await start(0, router.promise);
      if (!started.ok) throw new Error(started.error.message);
      server = started.value;
      expect(status(await request('GET /'))).toBe(200);
      const opening = openSocket().then(
        () => 'open',
        () => 'cut off',
      );
      await expect.poll(() => server.clients).toBe(1);
      if (comes) router.resolve(createRouter(core.service, core.hub, logger));
      else router.reject(new Error('no core'));
      expect(await opening).toBe(comes ? 'open' : 'cut off');
      await expect.poll(() => server.clients).toBe(comes ? 1 : 0);
    }
  });

  test('the next listener with the same token lets in who was let in; one with another does not', async () => {
    const held = await cookie();
    const { port } = server;
    const before = token();
    for (const [given, answered] of [
      [before, 101],
      [undefined, 401],
    ] as const) {
      await server.close();
      const again = await start(port, undefined, given);
      if (!again.ok) throw new Error(again.error.message);
      server = again.value;
      expect(status(await upgrade({ Cookie: held }))).toBe(answered);
    }
  });

  test('a port in use is an answer that says so', async () => {
    const taken = await start(server.port);
    expect(taken).toMatchObject({ ok: false, error: { code: 'port_in_use' } });
  });
});
