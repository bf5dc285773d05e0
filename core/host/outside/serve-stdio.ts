import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../kit/clock.ts';
import { bridgeServer, hearGivenUp, type BridgeHandlers } from '../../mcp/bridge/bridge-server.ts';
import { MAX_MESSAGE_BYTES } from '../../mcp/bridge/line-transport.ts';
import { OpenCalls } from '../../mcp/bridge/open-calls.ts';

/** What a client outside is served with. */
export interface OutsideOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly version: string;
  readonly clock: Clock;
  /** Makes call ids unique over all connections. */
  readonly connection: string;
  readonly handlers: Pick<BridgeHandlers, 'call' | 'ask'>;
  /** The text of the delegate tool. */
  describe(): Promise<string>;
}

/** An MCP server on stdio. */
export interface OutsideServer {
  /** Name of the client program, once it has said it. */
  readonly client: () => string;
  /** Resolves when the client has gone. */
  readonly closed: Promise<void>;
}

/** Serves `delegate_task` and `ask_user` to an MCP client that has started this process. */
export async function serveStdio(options: OutsideOptions): Promise<OutsideServer> {
  const { stdin, stdout, version, clock, connection, handlers, describe } = options;
  const reportResult: BridgeHandlers['reportResult'] = () => ({ isError: true, text: 'No result was asked for.' });
  const open = new OpenCalls();
  const server = bridgeServer(
    {
      handlers: { ...handlers, reportResult },
      offer: { delegate: true, ask: true, outputSchema: null },
      clock,
      version,
      open,
      describe,
      onListed: () => undefined,
    },
    connection,
  );
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.onclose = resolve;
  for (const event of ['end', 'close', 'error'] as const) stdin.once(event, resolve);
  stdout.once('error', () => resolve());
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  hearGivenUp(transport, open, connection);
  await server.connect(transport);
  return { client: () => server.getClientVersion()?.name ?? 'client', closed };
}
