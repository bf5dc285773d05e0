import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import type { WebSocket } from 'ws';
import { err, ok, type Result } from '../../kit/result.ts';
import { ApiError } from '../../protocol/errors.ts';
import type { contract } from '../../protocol/contract.ts';
import { PROTOCOL_VERSION } from '../../protocol/version.ts';
import { readCoreInfo } from '../../registry/lock/core-info.ts';
import { relayPort, type RelayedPort } from './relay-port.ts';
import { MAX_MESSAGE_BYTES } from './wire-limits.ts';

/** The core's API, typed by the contract, over whatever transport. */
export type ApiClient = ContractRouterClient<typeof contract>;

/** A connection to the running core of a data folder. */
export interface LocalConnection {
  readonly client: ApiClient;
  /** Process of the core. */
  readonly pid: number;
  readonly version: string;
  /** Carries a window's line to the core: what comes through the port goes over a connection of its own, and back, until either ends. */
  relay(port: RelayedPort): void;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Why there is no connection. */
export interface ConnectError {
  /** `starting`: a core has the folder but does not listen yet. */
  readonly code: 'not_running' | 'starting' | 'protocol_mismatch' | 'unreachable';
  readonly message: string;
}

const CONNECT_MS = 5_000;

/**
 * Connects to the running core of a data folder as a client and compares protocol versions (D2, case 55). That nothing
 * runs there is an expected answer, also when a core that was killed left its `core.json` behind.
 */
export async function connectLocal(home: string, name: string): Promise<Result<LocalConnection, ConnectError>> {
  const info = readCoreInfo(home);
  if (info === null) return err({ code: 'not_running', message: `No core runs on ${home}.` });
  const { apiSocket } = info;
  if (apiSocket === null) {
    const why = info.obstacle === undefined ? '' : ` ${info.obstacle}`;
    return err({ code: 'starting', message: `The core on ${home} is still starting.${why}` });
  }
  // Only where a core runs: who starts one does not pay for it.
  const { WebSocket: Socket } = await import('ws');
  const socket = openSocket(Socket, apiSocket);
  const opened = await whenOpen(socket);
  if (opened !== null) {
    const gone = opened === 'ENOENT' || opened === 'ECONNREFUSED';
    return err(
      gone
        ? { code: 'not_running', message: `No core runs on ${home}.` }
        : { code: 'unreachable', message: `The core on ${home} cannot be reached (${opened}).` },
    );
  }
  const client: ApiClient = createORPCClient(new RPCLink({ websocket: socket }));
  const greeted = await greet(client, name);
  if (!greeted.ok) {
    socket.terminate();
    return greeted;
  }
  return ok({
    client,
    ...greeted.value,
    relay: (port) => relayPort(port, openSocket(Socket, apiSocket)),
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => socket.terminate(),
  });
}

function openSocket(Socket: typeof WebSocket, apiSocket: string): WebSocket {
  return new Socket('ws://localhost/rpc', {
    createConnection: (() => connect(apiSocket)) as unknown as typeof connect,
    perMessageDeflate: false,
    maxPayload: 8 * MAX_MESSAGE_BYTES,
    handshakeTimeout: CONNECT_MS,
  });
}

/** Null once the socket is open, else the code of what went wrong. */
function whenOpen(socket: WebSocket): Promise<string | null> {
  return new Promise((resolve) => {
    socket.once('open', () => resolve(null));
    // Stays: an error after the opening is followed by a close, which is what callers look at.
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
  });
}

async function greet(client: ApiClient, name: string): Promise<Result<{ pid: number; version: string }, ConnectError>> {
  try {
    const { protocol, pid, version } = await client.app.hello({ protocol: PROTOCOL_VERSION, client: name });
    if (protocol === PROTOCOL_VERSION) return ok({ pid, version });
    const message = `The running core (version ${version}) speaks protocol ${protocol}, this command ${PROTOCOL_VERSION}. Update the older one, or stop the core and start it again.`;
    return err({ code: 'protocol_mismatch', message });
  } catch (error) {
    const known = ApiError.safeParse((error as { data?: unknown }).data).data;
    if (known?.code === 'protocol_mismatch') return err({ code: 'protocol_mismatch', message: known.message });
    return err({ code: 'unreachable', message: known?.message ?? 'The running core did not answer.' });
  }
}
