import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { expect, test } from 'vitest';
import { silentLogger } from '../../kit/logger.ts';
import { createFakeCore } from '../../testing/fake-core.ts';
import { createRouter } from '../api/router.ts';
import type { ApiClient } from './local-connection.ts';
import { serveMessagePort } from './message-port.ts';

test('a window speaks the API over a message port, and its feed ends with the port', async () => {
  const core = createFakeCore();
  const { port1, port2 } = new MessageChannel();
  serveMessagePort(port1 as never, createRouter(core.service, core.hub, silentLogger));
  port1.start();
  const client: ApiClient = createORPCClient(new RPCLink({ port: port2 as never }));
  port2.start();
  expect((await client.app.info()).boot).toBe('boot_fake');
  expect(core.calls[0]?.caller).toMatchObject({ client: 'desktop' });
  const feed = await client.live.subscribe({ client: 'desktop', can_answer: true, scopes: [{ type: 'app' }] });
  expect(await feed.next()).toMatchObject({ value: { type: 'hello' } });
  expect(await feed.next()).toMatchObject({ value: { type: 'snapshot' } });
  port2.close();
  await expect.poll(() => core.hub.subscriptions).toBe(0);
});
