import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { systemClock, type Clock } from '../../kit/clock.ts';
import { bridgeServer, hearGivenUp, type BridgeContext, type BridgeHandlers } from './bridge-server.ts';
import { openPlace } from './bridge-place.ts';
import type { BridgeOffer } from './bridge-tools.ts';
import { LineTransport } from './line-transport.ts';
import { OpenCalls } from './open-calls.ts';
import { bridgeProgram } from './program-path.ts';

export type { BridgeHandlers } from './bridge-server.ts';

/** What an agent is given so that it can delegate, ask and report. */
export interface Bridge {
  /** The stdio MCP server in the agent's own configuration; nothing of it is secret. */
  readonly server: {
    readonly name: 'espalier';
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** True once an agent has connected and listed the tools. */
  readonly listed: boolean;
  /** Ends all connections; the programs that the agent started for them end by themselves. */
  close(): Promise<void>;
}

/**
 * Opens the way from an agent to the core: a socket in `folder` (private, of the attempt) for the MCP server program that the agent starts (K4: no
 * secret in its arguments or environment). Rejects when the socket cannot be opened.
 */
export async function openBridge(options: {
  handlers: BridgeHandlers;
  offer: BridgeOffer;
  folder: string;
  clock?: Clock;
  version?: string;
}): Promise<Bridge> {
  const { handlers, offer, folder, clock = systemClock, version = '1' } = options;
  let listed = false;
  const onListed = (): void => {
    listed = true;
  };
  const context: BridgeContext = { handlers, offer, clock, version, open: new OpenCalls(), onListed };
  const place = await openPlace(folder, (socket, head) => serve(context, socket, head));
  return {
    server: { name: 'espalier', command: process.execPath, args: [bridgeProgram(), place.file], env: runtime() },
    get listed() {
      return listed;
    },
    close: () => place.close(),
  };
}

function serve(context: BridgeContext, socket: Socket, head: Buffer): void {
  const connection = randomBytes(6).toString('hex');
  const server = bridgeServer(context, connection);
  const transport = new LineTransport(socket, head);
  hearGivenUp(transport, context.open, connection);
  server.connect(transport).catch(() => socket.destroy());
}

/** Under Electron the same program is Node only when told so. */
function runtime(): Record<string, string> {
  return process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
}
