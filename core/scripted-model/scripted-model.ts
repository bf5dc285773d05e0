import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../kit/clock.ts';
import type { Clock } from '../kit/clock.ts';
import { systemRandom } from '../kit/random.ts';
import type { Random } from '../kit/random.ts';
import type { CompiledScript } from './compiled-script.ts';
import { countOf, endpointOf, listingOf } from './endpoints.ts';
import type { Endpoint } from './endpoints.ts';
import { Gates } from './gates.ts';
import { asObject, parseJson } from './json.ts';
import { faultOf } from './model-error.ts';
import type { ModelRequest } from './model-request.ts';
import { play } from './player.ts';
import { replyHead } from './reply-head.ts';
import { MessageSink, sendError, StreamSink } from './reply-sink.ts';
import { Requests, withoutSecrets } from './request-log.ts';
import type { RequestLog } from './request-log.ts';
import { Router } from './router.ts';
import type { NoRoute, Route } from './router.ts';
import { compileScript } from './script.ts';
import type { Script } from './script-input.ts';

export interface ScriptedModelOptions {
  /** Checked at the start; one that came from a file was checked by `loadScript` already. */
  readonly script: Script;
  readonly clock?: Clock;
  readonly random?: Random;
  /** 0 (default): a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Factor on every delay of the script; 0 leaves them out. Default 1. */
  readonly timeScale?: number;
}

/** A running scripted model server. */
export interface ScriptedModel {
  /** `http://127.0.0.1:<port>`, without a path: OpenAI and Anthropic clients take `${url}/v1`, Gemini `${url}/v1beta`. */
  readonly url: string;
  readonly port: number;
  /** Every model request so far, in order of arrival. */
  readonly requests: readonly RequestLog[];
  /** The first request that matches, of those that came or will come; rejects when the server is closed. */
  waitForRequest(matches: (entry: RequestLog) => boolean): Promise<RequestLog>;
  /** The first request that matches and whose reply has ended, however; rejects when the server is closed. */
  waitForEnd(matches: (entry: RequestLog) => boolean): Promise<RequestLog>;
  /** Resolves as soon as at least `count` (1) replies wait at the gate. */
  waitForGate(gate: string, count?: number): Promise<void>;
  /** Opens a gate for good, or lets only `count` replies through. */
  release(gate: string, count?: number): void;
  /** Answers later requests from another script; counters start again, replies under way go on. Throws on an invalid one. */
  setScript(script: Script): void;
  /** Ends every connection at once and resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Starts a model server that speaks Anthropic Messages, OpenAI Chat Completions and Responses, and Gemini, and answers from a script.
 * Throws on an invalid script; rejects when the port cannot be had.
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const host = options.host ?? '127.0.0.1';
  const theatre = new Theatre(options);
  const server = createServer((request, response) => {
    request.socket.setNoDelay(true);
    void theatre.answer(request, response);
  });
  // A stream may be silent for as long as its script says.
  server.requestTimeout = 0;
  // A pooled client connection must not be closed under the request that is just being sent on it.
  server.keepAliveTimeout = 120_000;
  await listen(server, options.port ?? 0, host);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests: theatre.requests.entries,
    waitForRequest: (matches) => theatre.requests.arrival(matches),
    waitForEnd: (matches) => theatre.requests.ended(matches),
    waitForGate: (gate, count) => theatre.gates.arrived(gate, count),
    release: (gate, count) => theatre.gates.release(gate, count),
    setScript: (script) => theatre.setScript(script),
    close: () => close(server, theatre),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function close(server: Server, theatre: Theatre): Promise<void> {
  theatre.closing.abort(new Error('the scripted model was closed'));
  theatre.requests.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

function checked(script: Script): CompiledScript {
  const compiled = compileScript(script);
  if (!compiled.ok) throw new Error(compiled.error.message);
  return compiled.value;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Receives requests, finds their turn, and has it played. */
class Theatre {
  readonly requests = new Requests();
  readonly gates = new Gates();
  readonly closing = new AbortController();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #timeScale: number;
  #script: CompiledScript;
  #router: Router;

  constructor(options: ScriptedModelOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#timeScale = options.timeScale ?? 1;
    this.#script = checked(options.script);
    this.#router = new Router(this.#script);
  }

  setScript(script: Script): void {
    this.#script = checked(script);
    this.#router = new Router(this.#script);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const listing = request.method === 'GET' ? listingOf(pathname, this.#script.models) : undefined;
    const endpoint = request.method === 'POST' ? endpointOf(pathname) : undefined;
    if (listing !== undefined) return sendJson(response, 200, listing);
    // How some agents find out whether there is a way to the server at all.
    if (request.method === 'HEAD') return void response.writeHead(200).end();
    try {
      if (endpoint === undefined) return await this.#other(pathname, request, response);
      await this.#complete(endpoint, pathname, request, response);
    } catch (error) {
      // A client that goes away in the middle of its request has nobody to answer; anything else must not hang its test.
      if (response.destroyed) return;
      response.destroy(error as Error);
    }
  }

  async #other(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const count = request.method === 'POST' ? countOf(path, await bodyOf(request)) : undefined;
    if (count !== undefined) sendJson(response, 200, count);
    else sendJson(response, 404, { error: { message: `Nothing at ${path}.` } });
  }

  async #complete(endpoint: Endpoint, path: string, http: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(http);
    const request = endpoint.dialect.parse(asObject(parseJson(text)), endpoint);
    const route = this.#router.route(request);
    const entry = this.#log(request, route, path, http);
    this.requests.add(entry);
    if ('problem' in route) {
      const { error, body } = faultOf({ status: 400, message: `Scripted model: ${route.problem}` }, endpoint.dialect);
      await sendError(response, error, body);
      return this.requests.end(entry, 'refused');
    }
    await this.#perform(endpoint, request, route, response, entry);
  }

  async #perform(
    endpoint: Endpoint,
    request: ModelRequest,
    route: Route,
    response: ServerResponse,
    entry: RequestLog,
  ): Promise<void> {
    const { dialect } = endpoint;
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the client went away')));
    const signal = AbortSignal.any([gone.signal, this.closing.signal]);
    const created = Math.floor(this.#clock.now() / 1000);
    const head = replyHead(route.steps, request, { id: this.#random.hex(24), created });
    const { wire } = route.conversation;
    const sink = request.stream
      ? new StreamSink(response, dialect, head, wire)
      : new MessageSink(response, dialect, head);
    const stage = { request, route, dialect, response, sink, signal, gates: this.gates, clock: this.#clock };
    try {
      await play({ ...stage, random: this.#random, timeScale: this.#timeScale });
      this.requests.end(entry, 'sent');
    } catch (error) {
      if (!signal.aborted) throw error;
      this.requests.end(entry, this.closing.signal.aborted ? 'server_closed' : 'client_closed');
    }
  }

  #log(request: ModelRequest, route: Route | NoRoute, path: string, http: IncomingMessage): RequestLog {
    const refused = 'problem' in route;
    return {
      index: this.requests.entries.length,
      dialect: request.dialect,
      path,
      model: request.model,
      headers: withoutSecrets(http.headers),
      body: request.body,
      request,
      arrivedAt: this.#clock.now(),
      conversation: refused ? route.conversation : route.conversation.name,
      turn: route.turn,
      problem: refused ? route.problem : undefined,
      end: undefined,
    };
  }
}
