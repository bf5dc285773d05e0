import type { ServerResponse } from 'node:http';
import type { Wire } from './compiled-script.ts';
import type { Dialect, ModelError, ReplyEvent, ReplyHead, SseFrame } from './dialects/dialect.ts';

/** Where the player puts a reply: an event stream, or one JSON message at the end. */
export interface ReplySink {
  /** Takes an event; nothing is sent before `flush`. */
  put(event: ReplyEvent): void;
  /** Sends bytes as they are, as a write of their own. */
  raw(bytes: Buffer): Promise<void>;
  /** Sends what was put so far, and the head of the reply if that is still to come. */
  flush(): Promise<void>;
  /** Sends the rest and ends the reply properly on the level of HTTP. */
  end(): Promise<void>;
}

/** Writes and waits until the socket has taken it; a client that went away ends the wait too. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.write(bytes, () => resolve());
  });
}

function end(response: ServerResponse, bytes?: Buffer | string): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once('close', resolve);
    response.end(bytes, () => resolve());
  });
}

function serialize(frame: SseFrame, wire: Wire): string {
  const lines = [
    ...(wire.comments ? [': keep-alive', ''] : []),
    ...(frame.event === undefined ? [] : [`event: ${frame.event}`]),
    `data: ${frame.data}`,
    '',
    '',
  ];
  return lines.join(wire.newline);
}

/** Server-sent events in a dialect. */
export class StreamSink implements ReplySink {
  readonly #response: ServerResponse;
  readonly #wire: Wire;
  readonly #encode: (event: ReplyEvent) => SseFrame[];
  #pending = '';

  constructor(response: ServerResponse, dialect: Dialect, head: ReplyHead, wire: Wire) {
    this.#response = response;
    this.#wire = wire;
    this.#encode = dialect.streamEncoder(head);
  }

  put(event: ReplyEvent): void {
    for (const frame of this.#encode(event)) this.#pending += serialize(frame, this.#wire);
  }

  async raw(bytes: Buffer): Promise<void> {
    await this.flush();
    await write(this.#response, bytes);
  }

  async flush(): Promise<void> {
    this.#head();
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    if (bytes.length === 0) this.#response.flushHeaders();
    else await this.#send(bytes);
  }

  async end(): Promise<void> {
    this.#head();
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    if (this.#wire.splitBytes === undefined) return end(this.#response, bytes);
    await this.#send(bytes);
    await end(this.#response);
  }

  #head(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  }

  async #send(bytes: Buffer): Promise<void> {
    const size = this.#wire.splitBytes ?? bytes.length;
    for (let from = 0; from < bytes.length; from += size) {
      await write(this.#response, bytes.subarray(from, from + size));
    }
  }
}

/** One JSON message, for clients that do not stream. */
export class MessageSink implements ReplySink {
  readonly #response: ServerResponse;
  readonly #dialect: Dialect;
  readonly #head: ReplyHead;
  #body: Buffer | undefined;
  #status = 200;

  constructor(response: ServerResponse, dialect: Dialect, head: ReplyHead) {
    this.#response = response;
    this.#dialect = dialect;
    this.#head = head;
  }

  put(event: ReplyEvent): void {
    if (event.type === 'finish') this.#set(200, this.#dialect.message(this.#head, event.blocks));
    if (event.type === 'error') this.#set(event.error.status, this.#dialect.error(event.error));
  }

  raw(bytes: Buffer): Promise<void> {
    this.#body = Buffer.concat([this.#body ?? Buffer.alloc(0), bytes]);
    return Promise.resolve();
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  async end(): Promise<void> {
    if (!this.#response.headersSent) this.#response.writeHead(this.#status, { 'content-type': 'application/json' });
    await end(this.#response, this.#body);
  }

  #set(status: number, value: unknown): void {
    this.#status = status;
    this.#body = Buffer.from(JSON.stringify(value));
  }
}

/** Answers with an error before any content. */
export async function sendError(
  response: ServerResponse,
  error: ModelError,
  body: string,
  headers: Record<string, string> = {},
): Promise<void> {
  response.writeHead(error.status, { 'content-type': 'application/json', ...headers });
  await end(response, body);
}
