import { client, RequestError, type AnyMessage, type ClientConnection } from '@agentclientprotocol/sdk';
import { fieldsOf, textOf, type Fields } from './wire.ts';

/** What an agent asks of us, and tells us. */
export interface ClientSide {
  /** Something happened in a session. Called in order; must not throw. */
  update(sessionId: string, update: Fields, meta: Fields): void;
  /** May a tool be used? Answers in the protocol's words. */
  permission(params: Fields): Promise<unknown>;
  /** A request of the file and terminal capabilities; rejects with a {@link RequestError} for what cannot be done. */
  capability(method: string, params: Fields): Promise<unknown>;
}

/** Requests of the capabilities that we offer. */
const CAPABILITIES = [
  'fs/read_text_file',
  'fs/write_text_file',
  'terminal/create',
  'terminal/output',
  'terminal/wait_for_exit',
  'terminal/kill',
  'terminal/release',
];

const raw = (params: unknown): Fields => fieldsOf(params);

/**
 * The protocol's connection over lines that somebody else reads and writes: the SDK's own reading of lines answers a banner with an error to the
 * agent, and bounds a line lower than agents need.
 */
export class AcpConnection {
  readonly #connection: ClientConnection;
  readonly #side: ClientSide;
  #input: ReadableStreamDefaultController<AnyMessage> | null = null;
  #open = true;

  /** @param write takes one message; false when nobody will read it any more */
  constructor(side: ClientSide, write: (line: string) => boolean) {
    const readable = new ReadableStream<AnyMessage>({ start: (controller) => void (this.#input = controller) });
    const writable = new WritableStream<AnyMessage>({
      write: (message) => {
        if (!write(`${JSON.stringify(message)}\n`)) throw new Error('The agent reads nothing any more.');
      },
    });
    this.#side = side;
    const app = client({ name: 'espalier' }).onRequest('session/request_permission', raw, ({ params }) =>
      side.permission(params),
    );
    for (const method of CAPABILITIES) {
      app.onRequest(method, raw, ({ params }) => side.capability(method, params));
    }
    // What agents tell each other's clients beside the protocol is not for us.
    app.onNotification('*', () => undefined);
    this.#connection = app.connect({ readable, writable });
    this.#connection.closed.catch(() => undefined);
  }

  /**
   * One message of the agent. Updates are taken as they come, before any later answer: the SDK refuses kinds of updates that it does not know, which
   * newer agents have.
   */
  take(value: unknown): void {
    if (!this.#open || typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const { method, id, params } = value as Fields;
    if (method !== 'session/update' || id !== undefined) return this.#input?.enqueue(value as AnyMessage);
    const { sessionId, update, _meta: meta } = fieldsOf(params);
    this.#side.update(textOf(sessionId) ?? '', fieldsOf(update), fieldsOf(meta));
  }

  /** Sends a request; rejects with what the agent answered, or with why the connection ended. */
  async request(method: string, params: object): Promise<Fields> {
    return fieldsOf(await this.#connection.agent.request<unknown, object>(method, params));
  }

  /** Sends a notification; one that nobody reads any more is lost. */
  notify(method: string, params: object): void {
    this.#connection.agent.notify(method, params).catch(() => undefined);
  }

  /** Ends it: open requests are rejected with the reason. */
  close(reason: Error): void {
    if (!this.#open) return;
    this.#open = false;
    this.#connection.close(reason);
  }
}

export { RequestError };
