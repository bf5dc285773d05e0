import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../kit/clock.ts';
import type { ApiRouter } from '../api/router.ts';
import { refuseUpgrade } from './response.ts';
import { SocketDoor } from './socket-door.ts';
import { apiSocketPath } from './socket-path.ts';

/** The core's API on a socket that only this user can reach. */
export interface LocalApi {
  /** For `core.json`. */
  readonly path: string;
  /** Clients connected now. */
  readonly clients: number;
  close(): Promise<void>;
}

/** Listens for clients of the same user; they wait until `router` is there. Only the holder of the core lock may: a socket left by an earlier core goes. */
export async function startLocalApi(
  home: string,
  router: ApiRouter | Promise<ApiRouter>,
  clock: Clock,
): Promise<LocalApi> {
  const path = apiSocketPath(home);
  if (process.platform !== 'win32') rmSync(path, { force: true });
  const server = createServer((_, response) => response.writeHead(426).end());
  const door = new SocketDoor(router, 'cli', clock);
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // No browser speaks to such a socket; what has an origin came through something that should not be there.
    if (request.headers.origin !== undefined) return refuseUpgrade(socket, 403);
    door.take(request, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    path,
    get clients() {
      return door.count;
    },
    async close() {
      door.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
