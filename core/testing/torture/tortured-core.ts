import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectLocal } from '../../host/serve/connect-local.ts';
import type { ApiClient, LocalConnection } from '../../host/serve/local-connection.ts';
import { delay, systemClock } from '../../kit/clock.ts';
import { ApiError } from '../../protocol/errors.ts';
import { until } from '../process-trees.ts';
import type { Bundles } from './bundles.ts';
import type { CoreOrders } from './core-program.ts';

/** What came of a call: an answer, or a refusal of the core's. */
export type Called<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly code: string; readonly message: string };

const START_MS = 30_000;

/** An error that is no answer of the core's comes from its death, which is seen by then. */
const GONE_MS = 5000;

/** A core in a process of its own that is killed again and again, and the client of it that outlives all of them. */
export class TorturedCore {
  readonly #bundles: Bundles;
  readonly #orders: Omit<CoreOrders, 'workerEntry'>;
  readonly #root: string;
  #starts = 0;
  #child: ChildProcess | null = null;
  #connection: LocalConnection | null = null;
  #up = Promise.withResolvers<void>();
  /** Milliseconds since the epoch from which on a core is up without a break. */
  since = 0;

  constructor(bundles: Bundles, root: string, orders: Omit<CoreOrders, 'workerEntry'>) {
    this.#bundles = bundles;
    this.#root = root;
    this.#orders = orders;
  }

  /** A core is up and a client is connected to it. */
  get isUp(): boolean {
    return this.#connection !== null;
  }

  /** Starts a core, each time with the worker's bundle at the other place; resolves when a client is connected. */
  async start(): Promise<void> {
    const child = this.spawn();
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    const exit = once(child, 'exit').then(([code]) => {
      throw new Error(`the core ended with status ${String(code)} before it was ready; see ${this.#orders.log}`);
    });
    exit.catch(() => undefined);
    await Promise.race([once(lines, 'line'), exit]);
    await until('a connection to the core', () => this.#connect(), START_MS);
    this.since = Date.now();
    this.#up.resolve();
  }

  /** Starts a core and does not wait for it. */
  spawn(): ChildProcess {
    this.#starts += 1;
    const workerEntry = this.#bundles.workers[this.#starts % 2] ?? '';
    const orders: CoreOrders = { ...this.#orders, workerEntry };
    const env = { PATH: process.env['PATH'] ?? '', HOME: join(this.#root, 'home') };
    const child = spawn(process.execPath, [this.#bundles.core, JSON.stringify(orders)], {
      cwd: '/',
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    return child;
  }

  async #connect(): Promise<boolean> {
    const connected = await connectLocal(this.#orders.home, 'torture');
    if (!connected.ok || connected.value.pid !== this.#child?.pid) return false;
    this.#connection = connected.value;
    void this.#follow(connected.value);
    return true;
  }

  /** Is there to answer asks, as an app is; the feed itself is of no interest. */
  async #follow({ client }: LocalConnection): Promise<void> {
    try {
      const feed = await client.live.subscribe({ client: 'torture', can_answer: true, scopes: [] });
      let subscription_id = '';
      for await (const message of feed) {
        if (message.type === 'hello') subscription_id = message.subscription_id;
        else await client.live.ack({ subscription_id, rev: message.rev });
      }
    } catch {
      return; // The core was killed.
    }
  }

  /** Ends the core by a signal: `SIGKILL`, or `SIGTERM` as when the app is closed. The workers stay. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    const connection = this.#connection;
    this.#connection = null;
    this.#up = Promise.withResolvers<void>();
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    connection?.close();
  }

  /** Calls the API; when the core goes meanwhile, again the next one, with the same arguments. */
  async call<T>(ask: (client: ApiClient) => Promise<T>): Promise<Called<T>> {
    for (;;) {
      await this.#up.promise;
      const connection = this.#connection;
      if (connection === null) continue;
      const asked = ask(connection.client).then((answer) => ({ ok: true as const, value: answer }));
      asked.catch(() => undefined); // Also when nobody waits for it any more.
      try {
        const answer = await Promise.race([asked, connection.closed]);
        if (answer !== undefined) return answer;
      } catch (error) {
        const known = ApiError.safeParse((error as { data?: unknown }).data).data;
        if (known !== undefined && known.code !== 'shutting_down') {
          return { ok: false, code: known.code, message: known.message };
        }
        const timer = delay(systemClock, GONE_MS).then(() => Promise.reject(error as Error));
        await Promise.race([connection.closed, timer]);
      }
      await connection.closed;
    }
  }
}
