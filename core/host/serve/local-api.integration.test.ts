import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { processIdentity } from '../../kit/process-tree/host-processes.ts';
import { silentLogger } from '../../kit/logger.ts';
import { writeCoreInfo } from '../../registry/lock/core-info.ts';
import { createFakeCore, refusal, type FakeAnswers } from '../../testing/fake-core.ts';
import { createRouter } from '../api/router.ts';
import { connectLocal } from './connect-local.ts';
import type { ApiClient } from './local-connection.ts';
import { startLocalApi, type LocalApi } from './local-api.ts';
import type { RelayedPort } from './relay-port.ts';

let home: string;
let api: LocalApi | null = null;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'local-'));
});

afterEach(async () => {
  await api?.close();
  api = null;
  rmSync(home, { recursive: true });
});

async function serve(answers: FakeAnswers = {}, folder = home) {
  const core = createFakeCore(answers);
  api = await startLocalApi(folder, createRouter(core.service, core.hub, silentLogger), systemClock);
  announce(api.path);
  return core;
}

/** As Electron's: what is posted comes in an event. */
function asWindowPort(port: MessagePort): RelayedPort {
  return {
    on(event: 'message' | 'close', listener: (event: never) => void) {
      if (event === 'message') port.on('message', (data) => listener({ data } as never));
      else port.on('close', listener as () => void);
    },
    postMessage: (data) => port.postMessage(data),
    close: () => port.close(),
  };
}

function announce(apiSocket: string | null): void {
  writeCoreInfo(home, { pid: process.pid, startTime: null, protocol: 1, apiSocket, workerSocket: null });
}

describe('a client of the same user', () => {
  test('connects over a socket in a private folder and speaks the API', async () => {
    const core = await serve();
    expect(statSync(dirname(api?.path ?? '')).mode & 0o777).toBe(0o700);
    const connected = await connectLocal(home, 'espalier list');
    if (!connected.ok) throw new Error(connected.error.message);
    expect(connected.value).toMatchObject({ pid: 1, version: '0.0.0' });
    expect(await connected.value.client.projects.list()).toEqual([]);
    expect(core.calls.at(-1)?.caller).toMatchObject({ client: 'cli' });
    expect(api?.clients).toBe(1);
    connected.value.close();
    await connected.value.closed;
    await expect.poll(() => api?.clients).toBe(0);
  });

  test('a feed that is given up just as the line is closed is no fault', async () => {
    const core = await serve();
    const connected = await connectLocal(home, 'espalier stop');
    if (!connected.ok) throw new Error(connected.error.message);
    const { client, close, closed } = connected.value;
    const over = new AbortController();
    const feed = await client.live.subscribe(
      { client: 'cli', can_answer: false, scopes: [{ type: 'app' }] },
      { signal: over.signal },
    );
    expect(await feed.next()).toMatchObject({ value: { type: 'hello' } });
    expect(await feed.next()).toMatchObject({ value: { type: 'snapshot' } });
    const next = feed.next();
    // The suite fails on what is thrown where nobody looks.
    over.abort();
    close();
    await expect(next).rejects.toThrow();
    await closed;
    await expect.poll(() => core.hub.subscriptions).toBe(0);
  });

  test('carries the line of a window, which ends with the core', async () => {
    const core = await serve();
    const connected = await connectLocal(home, 'desktop');
    if (!connected.ok) throw new Error(connected.error.message);
    const { port1, port2 } = new MessageChannel();
    connected.value.relay(asWindowPort(port1));
    const client: ApiClient = createORPCClient(new RPCLink({ port: port2 as never }));
    port2.start();
    expect((await client.app.info()).boot).toBe('boot_fake');
    const feed = await client.live.subscribe({ client: 'desktop', can_answer: true, scopes: [{ type: 'app' }] });
    expect(await feed.next()).toMatchObject({ value: { type: 'hello' } });
    expect(core.hub.subscriptions).toBe(1);
    const gone = once(port2, 'close');
    await api?.close();
    api = null;
    await gone;
    await connected.value.closed;
  });

  test('learns that the core is gone', async () => {
    await serve();
    const connected = await connectLocal(home, 'test');
    if (!connected.ok) throw new Error(connected.error.message);
    await api?.close();
    api = null;
    await connected.value.closed;
    await expect(connected.value.client.app.info()).rejects.toThrow();
    expect(await connectLocal(home, 'test')).toMatchObject({ ok: false, error: { code: 'not_running' } });
  });

  test('finds nothing running: no file, a socket that is gone, a core that still starts', async () => {
    expect(await connectLocal(home, 'test')).toMatchObject({ ok: false, error: { code: 'not_running' } });
    announce(join(home, 'gone.sock'));
    expect(await connectLocal(home, 'test')).toMatchObject({ ok: false, error: { code: 'not_running' } });
    announce(null);
    expect(await connectLocal(home, 'test')).toMatchObject({ ok: false, error: { code: 'starting' } });
  });

  test('a core that was killed while it started, before it listened, is not waited for', async () => {
    const dead = spawnSync(process.execPath, ['-e', '0']).pid;
    writeCoreInfo(home, { pid: dead, startTime: '1', protocol: 1, apiSocket: null, workerSocket: null });
    expect(await connectLocal(home, 'test')).toMatchObject({ ok: false, error: { code: 'not_running' } });
    const { startTime } = (await processIdentity(process.pid)) ?? { startTime: null };
    writeCoreInfo(home, { pid: process.pid, startTime, protocol: 1, apiSocket: null, workerSocket: null });
    expect(await connectLocal(home, 'test')).toMatchObject({ ok: false, error: { code: 'starting' } });
  });

  test('case 55: a core of another protocol version is told apart, both ways', async () => {
    await serve({ 'app.hello': () => ({ protocol: 99, version: '9.0.0', boot: 'b', home, pid: 7 }) });
    const newer = await connectLocal(home, 'test');
    expect(newer).toMatchObject({ ok: false, error: { code: 'protocol_mismatch' } });
    expect(newer.ok ? '' : newer.error.message).toContain('version 9.0.0');
    await api?.close();
    await serve({ 'app.hello': () => refusal({ code: 'protocol_mismatch', message: 'Update the older one.' }) });
    expect(await connectLocal(home, 'test')).toMatchObject({
      ok: false,
      error: { code: 'protocol_mismatch', message: 'Update the older one.' },
    });
  });

  test('a socket left by a killed core is replaced, and a folder with a long path has a short one', async () => {
    await serve();
    const path = api?.path ?? '';
    await api?.close();
    writeFileSync(path, 'left over');
    await serve();
    expect((await connectLocal(home, 'test')).ok).toBe(true);
    await api?.close();
    const long = join(home, 'x'.repeat(120));
    await serve({}, long);
    expect(Buffer.byteLength(api?.path ?? '')).toBeLessThan(104);
    expect((await connectLocal(home, 'test')).ok).toBe(true);
  });

  test('a batch of the largest size arrives', async () => {
    await serve({ 'batches.validate': () => ({ problems: [] }) });
    const connected = await connectLocal(home, 'test');
    if (!connected.ok) throw new Error(connected.error.message);
    const batch = '"\n'.repeat(8 * 1024 * 1024);
    expect(await connected.value.client.batches.validate({ project_id: null, batch })).toEqual({ problems: [] });
    connected.value.close();
  });
});
