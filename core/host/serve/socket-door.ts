import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocketServer } from 'ws';
import type { Clock } from '../../kit/clock.ts';
import type { ApiRouter } from '../api/router.ts';
import { refuseUpgrade } from './response.ts';
import type { SocketClients } from './socket-clients.ts';
import { MAX_CLIENTS, MAX_MESSAGE_BYTES } from './wire-limits.ts';

/**
 * Where connections that have been let in become clients of the API. They wait for a core that is still being loaded, and the first one for `ws`, which
 * costs more than an empty program's whole start with what Node loads below it. Until then a connection keeps what its client has sent.
 */
export class SocketDoor {
  readonly #clients: Promise<SocketClients | null>;
  #served: SocketClients | null = null;
  #server: Promise<WebSocketServer> | null = null;
  readonly #waiting = new Set<Socket>();
  #closed = false;

  /** `client` is who those that come in here are to others, unless they say better. */
  constructor(router: ApiRouter | Promise<ApiRouter>, client: string, clock: Clock) {
    this.#clients = this.#open(router, client, clock);
  }

  async #open(router: ApiRouter | Promise<ApiRouter>, client: string, clock: Clock): Promise<SocketClients | null> {
    try {
      const api = await router;
      const { createSocketClients } = await import('./socket-clients.ts');
      if (!this.#closed) this.#served = createSocketClients(api, client, clock);
      return this.#served;
    } catch {
      return null; // There is no core: whoever starts it says why.
    }
  }

  /** Clients connected now, and those that wait. */
  get count(): number {
    return this.#waiting.size + (this.#served?.count ?? 0);
  }

  /** Makes the connection a client, or refuses it when there are enough. */
  take(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (this.count >= MAX_CLIENTS) return refuseUpgrade(socket, 503);
    this.#waiting.add(socket);
    void this.#admit(request, socket, head).finally(() => this.#waiting.delete(socket));
  }

  async #admit(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    try {
      this.#server ??= newServer();
      const [clients, server] = await Promise.all([this.#clients, this.#server]);
      if (clients === null || this.#closed) return void socket.destroy();
      server.handleUpgrade(request, socket, head, (accepted) => clients.serve(accepted));
    } catch {
      socket.destroy(); // The program's own file is gone or damaged: the client sees a broken connection.
    }
  }

  /** Cuts all clients off. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#waiting) socket.destroy();
    this.#served?.close();
  }
}

async function newServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
}
