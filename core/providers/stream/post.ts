import type { Socket } from 'node:net';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

/** An HTTP answer whose body is still coming. */
export interface HttpReply {
  readonly status: number;
  /** Lower-cased names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Throws when the connection breaks before the end. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Free connections are kept for less than the 5 s after which common servers close them: a request never meets a connection
 * that is just being closed, so there is no silent second sending.
 */
const KEEP_FREE_MS = 4000;

type Agents = { http?: RequestOptions['agent']; https?: RequestOptions['agent'] };
const agents: Agents = {};

/**
 * Sends one POST. Not the global `fetch`, because that gives up after 300 s without a byte, and a slow local model may think
 * for longer (R7); nor are redirects followed, so that a key never goes to another host (K4). Rejects with the socket's
 * error; an abort rejects, or breaks the body off.
 */
export async function post(
  url: URL,
  request: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<HttpReply> {
  const start = transport(url);
  const { headers, body, signal } = request;
  return new Promise((resolve, reject) => {
    const outgoing = start(url, { method: 'POST', headers });
    // Not the option `signal`: the agent would hand it to the socket, which outlives the request, and whose error nobody hears.
    const onAbort = (): void => void outgoing.destroy(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    outgoing.on('error', reject);
    outgoing.once('socket', hearErrors);
    outgoing.once('close', () => signal.removeEventListener('abort', onAbort));
    outgoing.once('response', (response) => {
      // Whoever reads is told by the iteration; an abort while nobody reads must not be thrown into the process.
      response.on('error', () => undefined);
      resolve(toReply(response));
    });
    if (signal.aborted) onAbort();
    else outgoing.end(body);
  });
}

const heard = new WeakSet<Socket>();

/**
 * Between the end of an answer and its place among the free connections a socket has no listener of Node's own. An abort in that moment would
 * be thrown into the process, and end the run. Whoever asks is told by the request and its answer.
 */
function hearErrors(socket: Socket): void {
  if (heard.has(socket)) return;
  heard.add(socket);
  socket.on('error', () => undefined);
}

type Start = (url: URL, options: RequestOptions) => ClientRequest;

/**
 * `node:https` is loaded only where it is needed: a local model server does without TLS. Not by `import`: that reads every member of
 * `node:http`, and one of them loads all of Node's `fetch`, which takes longer than the start of a runtime.
 */
function transport(url: URL): Start {
  const options = { keepAlive: true, timeout: KEEP_FREE_MS };
  if (url.protocol === 'https:') {
    const https = process.getBuiltinModule('node:https');
    agents.https ??= new https.Agent(options);
    return (target, rest) => https.request(target, { ...rest, agent: agents.https });
  }
  const http = process.getBuiltinModule('node:http');
  agents.http ??= new http.Agent(options);
  return (target, rest) => http.request(target, { ...rest, agent: agents.http });
}

function toReply(response: IncomingMessage): HttpReply {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { status: response.statusCode ?? 0, headers, body: response as AsyncIterable<Uint8Array> };
}
