import { connect } from 'node:net';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import { err, ok, type Result } from '../../kit/result.ts';
import { ApiError } from '../../protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../protocol/version.ts';
import type { ApiClient, ConnectError, LocalConnection } from './local-connection.ts';
import { relayPort } from './relay-port.ts';
import { MAX_MESSAGE_BYTES } from './wire-limits.ts';

/** Where a core listens, and how long it may take to let a client in. */
interface SocketPlace {
  readonly apiSocket: string;
  readonly waitMs: number;
}

/** Connects to a core by its socket, and compares protocol versions. */
export async function connectSocket(
  home: string,
  place: SocketPlace,
  name: string,
): Promise<Result<LocalConnection, ConnectError>> {
  const socket = openSocket(place);
  const opened = await whenOpen(socket);
  if (opened !== null) {
    const gone = opened === 'ENOENT' || opened === 'ECONNREFUSED';
    return err(
      gone
        ? { code: 'not_running', message: `No core runs on ${home}.` }
        : { code: 'unreachable', message: `The core on ${home} cannot be reached (${opened}).` },
    );
  }
  const client: ApiClient = createORPCClient(new RPCLink({ websocket: lineOver(socket) }));
  const greeted = await greet(client, name);
  if (!greeted.ok) {
    socket.terminate();
    return greeted;
  }
  return ok({
    client,
    ...greeted.value,
    relay: (port) => relayPort(port, openSocket(place)),
    closed: new Promise((resolve) => socket.once('close', () => resolve())),
    close: () => socket.terminate(),
  });
}

/**
 * The socket as calls see it. While it closes, what is still sent is dropped: a call that is given up then would tell the other side so, and fail
 * where nobody looks, because the socket takes nothing any more. The close that follows ends all calls.
 */
function lineOver(
  socket: WebSocket,
): Pick<WebSocket, 'readyState' | 'send' | 'addEventListener' | 'removeEventListener'> {
  return {
    get readyState() {
      return socket.readyState === WebSocket.CLOSING ? WebSocket.OPEN : socket.readyState;
    },
    send: (data: Buffer | string) => {
      if (socket.readyState !== WebSocket.CLOSING) socket.send(data);
    },
    addEventListener: socket.addEventListener.bind(socket),
    removeEventListener: socket.removeEventListener.bind(socket),
  };
}

function openSocket({ apiSocket, waitMs }: SocketPlace): WebSocket {
  return new WebSocket('ws://localhost/rpc', {
    createConnection: (() => connect(apiSocket)) as unknown as typeof connect,
    perMessageDeflate: false,
    maxPayload: 8 * MAX_MESSAGE_BYTES,
    handshakeTimeout: waitMs,
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
