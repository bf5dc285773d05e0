import type { RawData, WebSocket } from 'ws';

/** One end of a message channel to a window, as far as a relay needs it. */
export interface RelayedPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(data: unknown): void;
  close(): void;
}

/**
 * Joins a window's port to a socket of the core: both carry the same messages. What comes before the socket is open waits for it; when either ends, so does
 * the other, and the window asks for a new port. The caller starts the port.
 */
export function relayPort(port: RelayedPort, socket: WebSocket): void {
  let early: (string | Uint8Array)[] | null = [];
  port.on('message', ({ data }) => {
    const message = typeof data === 'string' ? data : new Uint8Array(data as ArrayBuffer);
    if (early !== null) early.push(message);
    else if (socket.readyState === socket.OPEN) socket.send(message);
  });
  port.on('close', () => socket.terminate());
  socket.on('open', () => {
    for (const message of early ?? []) socket.send(message);
    early = null;
  });
  socket.on('message', (data: RawData, isBinary: boolean) => {
    const bytes = data as Buffer;
    port.postMessage(isBinary ? new Uint8Array(bytes) : bytes.toString('utf8'));
  });
  // The close that follows is all there is to it.
  socket.on('error', () => undefined);
  socket.on('close', () => port.close());
}
