import { RPCHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import type { Clock } from '../../kit/clock.ts';
import type { ApiContext, ApiRouter } from '../api/router.ts';
import { HEARTBEAT_MS, MAX_UNREAD_BYTES } from './wire-limits.ts';

/** The clients connected to one listener over WebSocket. */
export interface SocketClients {
  /** Serves the API to a client that has been let in, until its socket closes. */
  serve(socket: WebSocket): void;
  /** Clients connected now. */
  readonly count: number;
  /** Cuts all clients off. */
  close(): void;
}

/** Serves `router` to WebSockets; `client` is who they are to others, unless they say better. */
export function createSocketClients(router: ApiRouter, client: string, clock: Clock): SocketClients {
  const handler = new RPCHandler<ApiContext>(router);
  const answered = new Map<WebSocket, boolean>();
  const stopHeartbeat = clock.every(HEARTBEAT_MS, () => {
    for (const [socket, alive] of answered) {
      if (!alive) socket.terminate();
      answered.set(socket, false);
      socket.ping();
    }
  });
  return {
    get count() {
      return answered.size;
    },
    serve(socket) {
      answered.set(socket, true);
      const isHere = (): void => void answered.set(socket, true);
      socket.on('pong', isHere);
      socket.on('message', () => {
        isHere();
        if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
      });
      // A broken frame or a reset: the close that follows is all there is to it.
      socket.on('error', () => socket.terminate());
      socket.on('close', () => answered.delete(socket));
      void handler.upgrade(socket, { context: { caller: { client } } });
    },
    close() {
      stopHeartbeat();
      for (const socket of answered.keys()) socket.terminate();
    },
  };
}
