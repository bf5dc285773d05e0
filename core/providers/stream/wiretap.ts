import { delay, type Clock } from '../../kit/clock.ts';
import type { Tokens } from '../../protocol/usage.ts';
import { httpFailure, networkFailure, streamFailure } from '../failures/classify.ts';
import { readErrorBody, streamError } from '../failures/error-body.ts';
import { modelFailure } from '../failures/failure.ts';
import type { ModelFailure } from '../failures/failure.ts';
import { retryAfter } from '../failures/retry-after.ts';
import { mergeJson } from '../models/bundle.ts';
import type { ModelBundle } from '../models/bundle.ts';
import { post } from './post.ts';
import type { HttpReply } from './post.ts';
import { mergeRawUsage, toTokens } from './raw-usage.ts';
import { SseParser } from './sse.ts';

/** Enough of an error page to find its message in. */
const LONGEST_ERROR = 64 * 1024;

/** Events of Anthropic's stream that we know; its documentation says that others may come and are to be skipped. */
const ANTHROPIC_EVENTS = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
  'error',
]);

/** Events after which nothing of an answer comes; other dialects say `[DONE]`, or just end. */
const LAST_WORDS: ReadonlySet<unknown> = new Set(['message_stop', 'response.completed', 'response.incomplete']);

/** After that a server that means to close its answer has done so. */
const END_MS = 500;

type Frame = Readonly<Record<string, unknown>>;

/**
 * Stands between the network and the SDK's package for one request: sends it with the bundle's extras, sees every byte of the
 * answer, and passes the events on in one canonical form. What goes wrong on the wire is kept in `failure` in our own terms;
 * the SDK then only sees a stream that ends.
 */
export class Wiretap {
  readonly #bundle: ModelBundle;
  readonly #clock: Clock;
  readonly #onActivity: () => void;
  #rawUsage: Frame | null = null;
  /** What went wrong on the wire; the first failure stays. */
  failure: ModelFailure | null = null;

  constructor(bundle: ModelBundle, clock: Clock, onActivity: () => void = () => undefined) {
    this.#bundle = bundle;
    this.#clock = clock;
    this.#onActivity = onActivity;
  }

  /** All tokens that the provider reported so far; null before the first report. */
  get tokens(): Tokens | null {
    return this.#rawUsage ? toTokens(this.#bundle.kind, this.#rawUsage) : null;
  }

  /** For the SDK's package, in place of the global one. Throws after it has set `failure`, or on an abort. */
  readonly fetch = async (target: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(typeof target === 'string' || target instanceof URL ? target : target.url);
    const signal = init.signal ?? new AbortController().signal;
    const reply = await this.#send(url, init, signal);
    this.#onActivity();
    if (!isStream(reply)) throw await this.#refuse(reply);
    const body = ReadableStream.from(this.#events(reply, url, signal));
    // All that the packages read. A real `Response` would load Node's `fetch`, see `PlainHeaders`.
    return { ok: true, status: 200, headers: new Headers(reply.headers), body } as Response;
  };

  async #send(url: URL, init: RequestInit, signal: AbortSignal): Promise<HttpReply> {
    try {
      return await post(url, { headers: this.#headers(init.headers), body: this.#body(init.body), signal });
    } catch (error) {
      if (!signal.aborted) this.failure ??= networkFailure(error, url.host);
      throw error;
    }
  }

  #headers(headers: RequestInit['headers']): Record<string, string> {
    const all = Object.fromEntries(new Headers(headers));
    // Without a key the packages send an empty one.
    for (const name of ['x-api-key', 'x-goog-api-key']) if (all[name] === '') delete all[name];
    if (all['authorization']?.trim() === 'Bearer') delete all['authorization'];
    return all;
  }

  #body(body: unknown): string {
    const text = typeof body === 'string' ? body : '';
    const extras = this.#bundle.extraBody;
    if (Object.keys(extras).length === 0) return text;
    return JSON.stringify(mergeJson(JSON.parse(text) as Record<string, unknown>, extras));
  }

  /** An answer that is not the stream we asked for. */
  async #refuse(reply: HttpReply): Promise<Error> {
    const text = await this.#readText(reply);
    if (isGood(reply)) {
      const said = streamError(parse(text));
      this.failure ??= said
        ? streamFailure(said)
        : modelFailure('server_error', `The provider answered ${reply.headers['content-type']} instead of a stream`);
    } else {
      this.failure ??= httpFailure(reply.status, readErrorBody(text), retryAfter(reply.headers, this.#clock.now()));
    }
    return new Error('The provider refused the request');
  }

  /** The beginning of a body, as far as it comes: a broken error page is still an error. */
  async #readText(reply: HttpReply): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const chunk of reply.body) {
        this.#onActivity();
        text += decoder.decode(chunk, { stream: true });
        if (text.length > LONGEST_ERROR) break;
      }
    } catch {
      return text;
    }
    return text;
  }

  async *#events(reply: HttpReply, url: URL, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const parser = new SseParser();
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    const frames = new FrameFilter(this.#bundle.kind === 'anthropic');
    try {
      for await (const chunk of untilOver(reply.body, frames, this.#clock)) {
        this.#onActivity();
        const text = this.#pass(parser.push(decoder.decode(chunk, { stream: true })), frames);
        if (text) yield encoder.encode(text);
        if (this.failure) return;
      }
      const rest = this.#pass([...parser.push(decoder.decode()), ...parser.end()], frames, true);
      const text = rest + frames.closing;
      if (text) yield encoder.encode(text);
    } catch (error) {
      if (!signal.aborted) this.failure ??= networkFailure(error, url.host);
    }
  }

  /** The events that go on to the SDK, as text; stops at an error. At the end of the stream the last one may be cut. */
  #pass(events: readonly { data: string }[], frames: FrameFilter, atEnd = false): string {
    let text = '';
    for (const { data } of events) {
      if (frames.skips(data)) continue;
      const frame = parse(data);
      if (!frame) {
        if (!atEnd) this.failure ??= modelFailure('server_error', 'The provider sent an event that is not JSON');
        return text;
      }
      this.#rawUsage = mergeRawUsage(this.#bundle.kind, this.#rawUsage, frame);
      const error = streamError(frame);
      if (error) {
        this.failure ??= streamFailure(error);
        return text;
      }
      if (frames.accepts(frame)) text += `data: ${canonical(data, frame)}\n\n`;
    }
    return text;
  }
}

/**
 * What comes until the body ends. After the last word of an answer its end is waited for only so long that the connection can be used again: some
 * servers never close it, and go on sending comments.
 */
async function* untilOver(
  body: AsyncIterable<Uint8Array>,
  frames: FrameFilter,
  clock: Clock,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let late: Promise<null> | null = null;
  try {
    for (;;) {
      if (frames.isOver) late ??= delay(clock, END_MS).then(() => null);
      const next = chunks.next();
      const chunk = await (late === null ? next : Promise.race([next, late]));
      if (chunk === null) next.catch(() => undefined); // Whoever asked ends the connection.
      if (chunk === null || chunk.done === true) return;
      yield chunk.value;
    }
  } finally {
    // Not waited for: a piece may be on its way.
    void chunks.return?.().catch(() => undefined);
  }
}

function isGood({ status }: HttpReply): boolean {
  return status >= 200 && status <= 299;
}

/** Servers name their streams loosely; what is JSON or a page is none. */
function isStream(reply: HttpReply): boolean {
  return isGood(reply) && !/\bjson\b|\bhtml\b/i.test(reply.headers['content-type'] ?? '');
}

/** Knows which events the SDK's package can take, and what it still waits for when a stream ends. */
class FrameFilter {
  readonly #isAnthropic: boolean;
  #stopReason = false;
  #stopped = false;
  /** The last word of the answer has come. */
  isOver = false;

  constructor(isAnthropic: boolean) {
    this.#isAnthropic = isAnthropic;
  }

  /** Whether it is no event. */
  skips(data: string): boolean {
    if (data === '[DONE]') this.isOver = true;
    return data === '[DONE]' || data.trim() === '';
  }

  accepts(frame: Frame): boolean {
    if (LAST_WORDS.has(frame['type'])) this.isOver = true;
    if (!this.#isAnthropic) return true;
    const type = frame['type'];
    if (type === 'message_delta')
      this.#stopReason ||= typeof (frame['delta'] as Frame | null)?.['stop_reason'] === 'string';
    if (type === 'message_stop') this.#stopped = true;
    return typeof type === 'string' && ANTHROPIC_EVENTS.has(type);
  }

  /** A message that gave its stop reason is whole, also when the stream closes without the last event. */
  get closing(): string {
    return this.#stopReason && !this.#stopped ? 'data: {"type":"message_stop"}\n\n' : '';
  }
}

/** One line, and without an empty `error`, which the packages would take for one. */
function canonical(data: string, frame: Frame): string {
  if (!('error' in frame)) return data.includes('\n') ? JSON.stringify(frame) : data;
  const { error: _error, ...rest } = frame;
  return JSON.stringify(rest);
}

function parse(text: string): Frame | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Frame) : null;
  } catch {
    return null;
  }
}
