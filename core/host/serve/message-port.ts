import type { SupportedMessagePort } from '@orpc/client/message-port';
import { RPCHandler } from '@orpc/server/message-port';
import type { ApiContext, ApiRouter } from '../api/router.ts';

/** Serves the API to a window over a message port, until the port closes. The caller starts the port. */
export function serveMessagePort(port: SupportedMessagePort, router: ApiRouter): void {
  new RPCHandler<ApiContext>(router).upgrade(port, { context: { caller: { client: 'desktop' } } });
}
