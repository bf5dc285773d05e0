import type { ModelRequest } from './model-request.ts';

/** How a reply ended; undefined while it is open. */
export type ReplyEnd =
  /** Sent as scripted, faults and resets too. */
  | 'sent'
  /** The client went away first. */
  | 'client_closed'
  /** The server was closed first. */
  | 'server_closed'
  /** No turn, or an expectation failed: answered 400, see `problem`. */
  | 'refused';

/** One model request as it arrived. */
export interface RequestLog {
  /** 0-based, in order of arrival. */
  readonly index: number;
  readonly dialect: ModelRequest['dialect'];
  /** Without the query, which may hold a key. */
  readonly path: string;
  readonly model: string;
  /** Lower-case names; values that authenticate are replaced by `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly request: ModelRequest;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly arrivedAt: number;
  /** Name of the conversation that answers; undefined when none matched. */
  readonly conversation: string | undefined;
  /** 0-based turn of that conversation. */
  readonly turn: number | undefined;
  /** Why the request was refused: no conversation, no turn left, an expectation that failed. */
  readonly problem: string | undefined;
  end: ReplyEnd | undefined;
}

type Predicate = (entry: RequestLog) => boolean;

interface Waiter {
  readonly matches: Predicate;
  readonly resolve: (entry: RequestLog) => void;
  readonly reject: (error: Error) => void;
}

/** The requests so far, and those who wait for one. */
export class Requests {
  readonly entries: RequestLog[] = [];
  readonly #arrivals = new Set<Waiter>();
  readonly #ends = new Set<Waiter>();

  add(entry: RequestLog): void {
    this.entries.push(entry);
    settle(this.#arrivals, entry);
  }

  /** Records how the reply ended; the first end counts. */
  end(entry: RequestLog, end: ReplyEnd): void {
    if (entry.end !== undefined) return;
    entry.end = end;
    settle(this.#ends, entry);
  }

  /** The first request that matches, of those that came or will come. */
  arrival(matches: Predicate): Promise<RequestLog> {
    return wait(this.entries.find(matches), this.#arrivals, matches);
  }

  /** The first request that matches and whose reply has ended. */
  ended(matches: Predicate): Promise<RequestLog> {
    const found = this.entries.find((entry) => entry.end !== undefined && matches(entry));
    return wait(found, this.#ends, matches);
  }

  /** Nothing will come any more: whoever still waits is told. */
  close(): void {
    for (const waiters of [this.#arrivals, this.#ends]) {
      for (const waiter of waiters) waiter.reject(new Error('the scripted model was closed before such a request'));
      waiters.clear();
    }
  }
}

function wait(found: RequestLog | undefined, waiters: Set<Waiter>, matches: Predicate): Promise<RequestLog> {
  if (found !== undefined) return Promise.resolve(found);
  return new Promise((resolve, reject) => {
    waiters.add({ matches, resolve, reject });
  });
}

function settle(waiters: Set<Waiter>, entry: RequestLog): void {
  for (const waiter of waiters) {
    if (!waiter.matches(entry)) continue;
    waiters.delete(waiter);
    waiter.resolve(entry);
  }
}

const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-goog-api-key)$|token|secret/;

/** The headers with the values of those that authenticate replaced. */
export function withoutSecrets(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADER.test(name) ? '[redacted]' : Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
