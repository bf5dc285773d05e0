import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket, WebSocketServer } from 'ws';
import { MAX_MESSAGE_BYTES } from './wire-limits.ts';

/**
 * Makes WebSockets of connections that have been let in. `ws`, with what Node loads below it, costs more than an empty program's whole start: it
 * comes with the first client, so that no start waits for it. Until then a connection keeps what its client has sent.
 */
export class SocketUpgrade {
  #server: Promise<WebSocketServer> | null = null;

  /** Hands the connection to `accept` as a WebSocket; one that has gone meanwhile is dropped. */
  async take(
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    accept: (accepted: WebSocket) => void,
  ): Promise<void> {
    this.#server ??= this.#load();
    try {
      (await this.#server).handleUpgrade(request, socket, head, accept);
    } catch {
      socket.destroy(); // The program's own file is gone or damaged: the client sees a broken connection.
    }
  }

  async #load(): Promise<WebSocketServer> {
    const { WebSocketServer } = await import('ws');
    return new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  }
}
