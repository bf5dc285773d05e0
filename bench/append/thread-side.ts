import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Kind } from './kinds.ts';
import type { Side } from './sides.ts';

/** What the design could have been: the loop makes the rows, and a thread of its own writes them. */
export class ThreadSide implements Side {
  readonly #thread: Worker;

  private constructor(thread: Worker) {
    this.#thread = thread;
  }

  static async open(path: string): Promise<ThreadSide> {
    const thread = new Worker(new URL('./thread-program.ts', import.meta.url), { workerData: { path } });
    await once(thread, 'message');
    return new ThreadSide(thread);
  }

  async append(kind: Kind, n: number): Promise<void> {
    const committed = once(this.#thread, 'message');
    this.#thread.postMessage(kind.make(n));
    await committed;
  }

  async close(): Promise<void> {
    const ended = once(this.#thread, 'exit');
    this.#thread.postMessage(null);
    await ended;
  }
}
