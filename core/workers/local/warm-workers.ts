import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CancelTimer } from '../../kit/clock.ts';
import { delay } from '../../kit/clock.ts';
import type { WorkerFrame } from '../../protocol/frames.ts';
import { countdown } from './countdown.ts';
import type { PoolContext } from './pool-context.ts';
import { secretHash } from './secret-hash.ts';
import type { ConnectionListener, WorkerConnection } from './worker-connection.ts';
import { startWorker } from './worker-process.ts';
import type { WorkerProcess } from './worker-process.ts';

type Hello = Extract<WorkerFrame, { type: 'hello' }>;

/** A worker that waits for an attempt. It has no project, no secret, no tool environment, and ends when the core's socket closes. */
export interface IdleWorker {
  readonly worker: WorkerProcess;
  readonly connection: WorkerConnection;
  /** Where its outputs are until it gets an attempt. */
  readonly folder: string;
  readonly bundle: string;
}

/** After a worker of the pool failed, the next is tried after this, doubled each time up to the limit. */
const FIRST_PAUSE_MS = 5000;
const LAST_PAUSE_MS = 300_000;

const NOBODY: ConnectionListener = { frame() {}, violated() {}, closed() {} };

/** From the order to end to SIGKILL, for one that waits. */
const END_GRACE_MS = 1000;

/**
 * Keeps a few workers ready, so that a task begins without waiting for a process. One starts at a time, and only when nothing else has
 * started for a while. What is idle carries no run's marker: its identity is pid and start time, in a session of its own; the tag or cgroup, and the marker
 * of its tools, come with the attempt.
 */
export class WarmWorkers {
  readonly #context: PoolContext;
  readonly #target: number;
  readonly #folder: string;
  readonly #idle: IdleWorker[] = [];
  #starting: { readonly tokenHash: string; readonly met: (connection: WorkerConnection) => void } | null = null;
  #cancelRefill: CancelTimer = () => undefined;
  #failures = 0;
  #closed = false;
  readonly #closing = Promise.withResolvers<null>();
  #refilling: Promise<void> = Promise.resolve();

  /** @param options.target workers to keep ready; more than two would only hold memory */
  constructor(context: PoolContext, options: { target: number; folder: string }) {
    this.#context = context;
    this.#target = Math.min(options.target, 2);
    this.#folder = options.folder;
    this.#refillSoon();
  }

  /** Workers that are ready. */
  get size(): number {
    return this.#idle.length;
  }

  /** A worker that is ready and of the present bundle; those of an older one are ended. Starting one puts the refill off. */
  take(): IdleWorker | null {
    this.#refillSoon();
    for (let idle = this.#idle.shift(); idle !== undefined; idle = this.#idle.shift()) {
      const current = idle.bundle === this.#context.bundleVersion();
      if (current && idle.connection.isOpen) {
        idle.connection.hand(NOBODY);
        return idle;
      }
      void this.#end(idle);
    }
    return null;
  }

  /** A worker without an attempt says hello. */
  hello(connection: WorkerConnection, hello: Hello): void {
    const starting = this.#starting;
    if (starting === null || secretHash(hello.token) !== starting.tokenHash) {
      return connection.refuse('token', 'The core does not expect this worker.');
    }
    starting.met(connection);
  }

  /** Ends all that is idle; resolves when they are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRefill();
    this.#closing.resolve(null);
    await this.#refilling;
    await Promise.all(this.#idle.splice(0).map((idle) => this.#end(idle)));
  }

  #refillSoon(): void {
    if (this.#closed || this.#target === 0) return;
    const { clock, timings } = this.#context;
    const pause = this.#failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LAST_PAUSE_MS);
    this.#cancelRefill();
    this.#cancelRefill = clock.after(Math.max(timings.refillMs, pause), () => {
      if (this.#starting === null) this.#refilling = this.#refill();
    });
  }

  async #refill(): Promise<void> {
    if (this.#closed) return;
    if (this.#context.gate.busy > 0) return this.#refillSoon();
    this.#endOutdated();
    if (this.#idle.length >= this.#target) return;
    const idle = await this.#startOne();
    this.#failures = idle === null ? this.#failures + 1 : 0;
    if (idle !== null && (this.#closed || !idle.connection.isOpen)) return this.#end(idle);
    if (idle !== null) this.#keep(idle);
    this.#refillSoon();
  }

  #endOutdated(): void {
    const bundle = this.#context.bundleVersion();
    for (const idle of this.#idle.filter((each) => each.bundle !== bundle)) {
      this.#forget(idle);
      void this.#end(idle);
    }
  }

  #keep(idle: IdleWorker): void {
    const gone = (): void => {
      this.#forget(idle);
      void this.#end(idle);
      this.#failures += 1;
      this.#refillSoon();
    };
    const listener: ConnectionListener = { frame: gone, violated: gone, closed: gone };
    idle.connection.hand(listener);
    idle.connection.trust();
    this.#idle.push(idle);
    idle.connection.send({ type: 'pooled', boot: this.#context.boot });
  }

  #forget(idle: IdleWorker): void {
    const at = this.#idle.indexOf(idle);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  async #startOne(): Promise<IdleWorker | null> {
    const { random, addressFile, program, scanner, clock, timings } = this.#context;
    const folder = join(this.#folder, random.hex(8));
    const token = random.hex(64);
    const bundle = this.#context.bundleVersion();
    const meeting = new Promise<WorkerConnection>((met) => {
      this.#starting = { tokenHash: secretHash(token), met };
    });
    const input = { token, attempt_id: null, address_file: addressFile, bundle, runner: 'builtin' };
    try {
      const started = await startWorker(program, input, { folder, runId: null }, scanner.source);
      if (!started.ok) return await this.#failed(folder, started.error.code);
      const worker = started.value;
      let cancel: CancelTimer = () => undefined;
      const late = new Promise<null>((resolve) => {
        cancel = countdown(clock, timings.connectMs, () => resolve(null));
      });
      const ended = worker.ended.then(() => null);
      const connection = await Promise.race([meeting, late, ended, this.#closing.promise]);
      cancel();
      if (connection !== null) return { worker, connection, folder, bundle };
      await this.#kill(worker);
      return await this.#failed(folder, 'no_connection');
    } finally {
      this.#starting = null;
    }
  }

  async #failed(folder: string, code: string): Promise<null> {
    this.#context.logger.warn({ code }, 'a worker of the pool did not start');
    await rm(folder, { recursive: true, force: true });
    return null;
  }

  async #end(idle: IdleWorker): Promise<void> {
    idle.connection.hand(NOBODY);
    idle.connection.send({ type: 'end' });
    await Promise.race([idle.worker.ended, delay(this.#context.clock, END_GRACE_MS)]);
    idle.connection.replace();
    await this.#kill(idle.worker);
    await rm(idle.folder, { recursive: true, force: true });
  }

  /** Does nothing to one that has ended: the signal goes to the identity only (case 40). */
  async #kill(worker: WorkerProcess): Promise<void> {
    const { scanner, clock } = this.#context;
    await scanner.source.signal({ signal: 'SIGKILL', processes: [worker.identity], groups: [] });
    await Promise.race([worker.ended, delay(clock, END_GRACE_MS)]);
  }
}
