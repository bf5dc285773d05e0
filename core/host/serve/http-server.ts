import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import type { Random } from '../../kit/random.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiRouter } from '../api/router.ts';
import { allowedHosts, cookieOf, pathOf, refusedOrigin } from './request-checks.ts';
import { answer, refuseUpgrade, setSecurityHeaders } from './response.ts';
import { Sessions } from './sessions.ts';
import { SocketDoor } from './socket-door.ts';
import { StaticFiles } from './static-files.ts';

/** How the web app is served. */
export interface HttpServerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address to listen on; anything but a loopback address is the user's explicit choice. */
  readonly host: string;
  /** The token of a launch whose listener this one takes over; without one it is new. */
  readonly token?: string | undefined;
  /** Until it is there only the page is given out, and clients wait; when it cannot be, they are cut off. */
  readonly router: ApiRouter | Promise<ApiRouter>;
  /** `dist/renderer`. */
  readonly rendererFolder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A listener that serves the web app and the API. */
export interface HttpServer {
  /** With the token in its fragment: for the user alone, never for a log. */
  readonly url: string;
  /** Without the token. */
  readonly address: string;
  readonly port: number;
  /** Clients connected to the API. */
  readonly clients: number;
  /** Requests that are being answered now. */
  readonly busy: number;
  /** Resolves when the first request has been answered, or given up. */
  readonly firstAnswer: Promise<void>;
  close(): Promise<void>;
}

/** Why the listener could not be opened. */
export interface ListenError {
  readonly code: 'port_in_use' | 'cannot_listen';
  readonly message: string;
}

const MAX_BODY_BYTES = 4 * 1024;
const MAX_CONNECTIONS = 512;
const MAX_TOKEN = 1000;

/**
 * Serves the web app on HTTP (DESIGN, API). Without a session there is only the static page, which holds no data, and
 * `POST /session`, which trades the token of this launch for a cookie; everything else is 401. Host and Origin are
 * checked on every request (403), and no GET changes anything.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<Result<HttpServer, ListenError>> {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 10_000 });
  server.maxConnections = MAX_CONNECTIONS;
  const listening = await listen(server, options);
  if (!listening.ok) return listening;
  const { port } = server.address() as AddressInfo;
  const site = new Site(options, port);
  server.on('request', (request, response) => void site.respond(request, response));
  server.on('upgrade', (request, socket: Duplex, head: Buffer) => site.upgrade(request, socket as Socket, head));
  server.on('clientError', (_, socket) => socket.destroy());
  const shown = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host;
  const address = `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}/`;
  options.logger.info({ host: options.host, port }, 'the web app is served');
  return ok({
    url: `${address}#token=${site.sessions.token}`,
    address,
    port,
    get clients() {
      return site.door.count;
    },
    get busy() {
      return site.busy;
    },
    firstAnswer: site.firstAnswer.promise,
    async close() {
      site.door.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  });
}

function listen(server: Server, { port, host }: HttpServerOptions): Promise<Result<null, ListenError>> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const why = taken ? 'is in use by another program' : `cannot be used (${error.code ?? error.name})`;
      resolve(
        err({
          code: taken ? 'port_in_use' : 'cannot_listen',
          message: `Address ${host}, port ${port} ${why}. Choose another, or port 0 for a free one.`,
        }),
      );
    });
    server.listen({ port, host }, () => resolve(ok(null)));
  });
}

/** Requests and upgrades of one listener. */
class Site {
  readonly sessions: Sessions;
  readonly door: SocketDoor;
  readonly #hosts: ReadonlySet<string>;
  readonly #files: StaticFiles;
  /** Cookies are shared by all ports of a host: another Espalier must not overwrite ours. */
  readonly #cookie: string;
  readonly #logger: Logger;

  constructor({ host, token, router, rendererFolder, clock, random, logger }: HttpServerOptions, port: number) {
    this.sessions = new Sessions(random, token);
    this.door = new SocketDoor(router, 'browser', clock);
    this.#hosts = allowedHosts(host, port);
    this.#files = new StaticFiles(rendererFolder, clock);
    this.#cookie = `espalier_${port}`;
    this.#logger = logger;
  }

  /** Requests that are being answered now. */
  busy = 0;
  readonly firstAnswer = Promise.withResolvers<void>();

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.busy += 1;
    response.once('close', () => {
      this.busy -= 1;
      this.firstAnswer.resolve();
    });
    try {
      const refused = refusedOrigin(request, this.#hosts);
      setSecurityHeaders(response, refused === null ? (request.headers.host ?? '') : 'localhost');
      if (refused !== null) return answer(response, 403, refused);
      await this.#route(request, response);
    } catch (error) {
      this.#logger.error({ kind: error instanceof Error ? error.name : typeof error }, 'a request failed');
      if (!response.headersSent) answer(response, 500, 'Something went wrong inside Espalier.');
      else response.destroy();
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (path === '/session' && request.method === 'POST') return this.#beginSession(request, response);
    if (path !== null && reads && (await this.#sendFile(path, request, response))) return;
    if (!this.#isLetIn(request)) return answer(response, 401, 'Open the address that `espalier serve` printed.');
    if (path === '/rpc' && reads) {
      response.setHeader('Upgrade', 'websocket');
      return answer(response, 426, 'The API is spoken over WebSocket.');
    }
    answer(response, reads ? 404 : 405, reads ? 'There is nothing here.' : 'This cannot be done here.');
  }

  #isLetIn(request: IncomingMessage): boolean {
    return this.sessions.has(cookieOf(request, this.#cookie));
  }

  async #sendFile(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const file = await this.#files.get(path);
    if (file === null) return false;
    if (file.immutable) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.body.length });
    response.end(request.method === 'HEAD' ? undefined : file.body);
    return true;
  }

  async #beginSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [type = ''] = (request.headers['content-type'] ?? '').split(';');
    if (type.trim().toLowerCase() !== 'application/json') {
      return answer(response, 415, 'Send the token as application/json.');
    }
    const body = await readBody(request);
    if (body === null) {
      response.setHeader('Connection', 'close');
      return answer(response, 413, 'The request is too long.');
    }
    const cookie = this.sessions.begin(tokenIn(body));
    if (cookie === null) return answer(response, 401, 'The address is of an earlier start. Open the new one.');
    response.setHeader('Set-Cookie', `${this.#cookie}=${cookie}; HttpOnly; SameSite=Strict; Path=/`);
    response.writeHead(204).end();
  }

  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (refusedOrigin(request, this.#hosts, true) !== null) return refuseUpgrade(socket, 403);
    if (!this.#isLetIn(request)) return refuseUpgrade(socket, 401);
    if (pathOf(request) !== '/rpc') return refuseUpgrade(socket, 404);
    this.door.take(request, socket, head);
  }
}

/** The body as text; null when it is longer than anything sent here, of which the rest is not kept. */
function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(null);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

function tokenIn(body: string): string {
  try {
    const { token } = Object(JSON.parse(body)) as { token?: unknown };
    return typeof token === 'string' && token.length <= MAX_TOKEN ? token : '';
  } catch {
    return ''; // Not JSON: no token.
  }
}
