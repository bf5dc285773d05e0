import type { Duplex } from 'node:stream';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** A message may hold a whole batch file (16 MiB, S5), as JSON in JSON. */
export const MAX_MESSAGE_BYTES = 48 * 1024 * 1024;

/** MCP over a stream of lines that is already open; what was read of it before comes as `head`. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stream: Duplex;
  readonly #buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
  readonly #head: Buffer;

  constructor(stream: Duplex, head: Buffer) {
    this.#stream = stream;
    this.#head = head;
  }

  start(): Promise<void> {
    this.#stream.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#stream.once('close', () => this.onclose?.());
    if (this.#head.length > 0) this.#take(this.#head);
    this.#stream.resume();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#stream.writable) this.#stream.write(serializeMessage(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#stream.destroy();
    return Promise.resolve();
  }

  #take(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (cause) {
      this.onerror?.(cause as Error);
      this.#stream.destroy();
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (cause) {
        this.onerror?.(cause as Error); // One line that is no message costs only itself.
      }
    }
  }
}
