import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server got it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** Answers the request number `index` (from 0). Bytes are written as they are, so that a test controls each of them. */
type Answer = (response: ServerResponse, index: number, request: SeenRequest) => void;

/** A real HTTP server on loopback, for the tests of this folder: what it answers is up to the test, byte by byte. */
export interface RawServer {
  /** Without a path. */
  readonly url: string;
  readonly requests: SeenRequest[];
  close(): Promise<void>;
}

export async function startRawServer(answer: Answer): Promise<RawServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>;
      const seen = { path: request.url ?? '', headers: request.headers, body };
      requests.push(seen);
      answer(response, requests.length - 1, seen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers 200 with an event stream of exactly these pieces, each its own write, and ends it properly. */
export function sendStream(response: ServerResponse, pieces: readonly (string | Uint8Array)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) response.write(piece);
  response.end();
}

/** Answers with a status and a JSON body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
