import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import type { CoreFrame, WorkerFrame } from '../../protocol/frames.ts';
import type { ProcessUse } from '../../protocol/processes.ts';
import { PROTOCOL_VERSION } from '../../protocol/version.ts';
import type { AdoptOrder, StartOrder, WorkerPool } from '../contract.ts';
import { AgentGates } from './agent-gates.ts';
import { Attempt } from './attempt.ts';
import type { MeetingPlace } from './meeting-place.ts';
import type { PoolContext } from './pool-context.ts';
import { secretHash } from './secret-hash.ts';
import { StartGate } from './start-gate.ts';
import { WarmWorkers } from './warm-workers.ts';
import { WorkerConnection } from './worker-connection.ts';
import { AdoptedWatch } from './worker-process.ts';

/** Who connects has to say hello within this. */
const HELLO_MS = 5000;

/** Right after the start of a core its attempts are not all taken over yet; a worker that nobody knows is sent away only after this. */
const STRANGERS_TOLD_AFTER_MS = 60_000;

/** What the pool is made of. */
export interface LocalPoolParts {
  readonly context: Omit<PoolContext, 'watch' | 'gate' | 'agentGates' | 'addressFile'>;
  readonly place: MeetingPlace;
  readonly warm: { readonly target: number; readonly folder: string };
}

/** The pool of worker processes on this machine; made by `createLocalWorkerPool`. */
export class LocalWorkerPool implements WorkerPool {
  readonly #context: PoolContext;
  readonly #place: MeetingPlace;
  readonly #warm: WarmWorkers;
  readonly #attempts = new Map<string, Attempt>();
  readonly #revoked = new Set<string>();
  readonly #strangersUntil: number;
  /** Connections that have not said who they are. */
  readonly #unknown = new Set<WorkerConnection>();
  #closed = false;
  /** No connection is answered any more: the workers stay for the next core. */
  #leaving = false;

  constructor({ context, place, warm }: LocalPoolParts) {
    const { clock, scanner } = context;
    this.#place = place;
    this.#context = {
      ...context,
      watch: new AdoptedWatch(scanner.source, clock),
      gate: new StartGate(2 * availableParallelism()),
      agentGates: new AgentGates(),
      addressFile: place.addressFile,
    };
    this.#strangersUntil = clock.monotonic() + STRANGERS_TOLD_AFTER_MS;
    this.#warm = new WarmWorkers(this.#context, warm);
  }

  /** Idle workers that are ready. */
  get idle(): number {
    return this.#warm.size;
  }

  /** Attempts that have not ended, or whose last events are not committed. */
  get attempts(): number {
    return this.#attempts.size;
  }

  start(order: StartOrder): void {
    const attempt = this.#add(order, {
      committed: 0,
      assignment: order.assignment,
      tokenHash: secretHash(order.token),
      secretHash: null,
    });
    // One that has to wait for others first would keep a warm worker from those that need not.
    const idle = this.#context.agentGates.guards(order.assignment.agent) ? null : this.#warm.take();
    this.#watch(attempt, idle === null ? attempt.begin(order) : attempt.beginOn(idle));
  }

  adopt(order: AdoptOrder): void {
    const { committed, secret_hash, token_hash, assignment } = order;
    const attempt = this.#add(order, {
      committed,
      assignment: assignment ?? null,
      // A worker that has told anything has its secret; before that it may still have only its token.
      tokenHash: committed === 0 ? token_hash : null,
      secretHash: secret_hash,
    });
    attempt.adopt(order);
  }

  #add(
    order: { readonly attempt_id: string; readonly run_id: string; readonly folder: string },
    more: Pick<ConstructorParameters<typeof Attempt>[1], 'committed' | 'assignment' | 'tokenHash' | 'secretHash'>,
  ): Attempt {
    const { attempt_id: id, run_id: runId, folder } = order;
    if (this.#attempts.has(id)) throw new Error(`The attempt ${id} was ordered twice`);
    const attempt = new Attempt(this.#context, { id, runId, folder, ...more }, () => this.#attempts.delete(id));
    this.#attempts.set(id, attempt);
    return attempt;
  }

  #watch(attempt: Attempt, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#context.logger.error({ attempt: attempt.id, error: String(error) }, 'an attempt could not be started');
      attempt.fail(error instanceof Error ? error.message : String(error));
    });
  }

  welcome(attempt_id: string): void {
    this.#attempts.get(attempt_id)?.welcome();
  }

  ack(attempt_id: string, seq: number): void {
    this.#attempts.get(attempt_id)?.ack(seq);
  }

  send(attempt_id: string, frame: CoreFrame): void {
    this.#attempts.get(attempt_id)?.send(frame);
  }

  stop(attempt_id: string, reason: 'stop' | 'deadline' | 'stalled', graceMs: number): void {
    this.#attempts.get(attempt_id)?.stop(reason, graceMs);
  }

  release(attempt_id: string): void {
    this.#attempts.get(attempt_id)?.release();
  }

  revoke(attempt_id: string): void {
    this.#revoked.add(attempt_id);
    this.#attempts.get(attempt_id)?.revoke();
  }

  async sample(attempt_id: string): Promise<ProcessUse[] | null> {
    const usage = await this.#attempts.get(attempt_id)?.sample();
    if (usage == null) return null;
    return usage.processes.map(({ pid, ppid, command, rssBytes, pssBytes, cpuSeconds, startedAt }) => ({
      pid,
      ppid,
      command,
      rss_bytes: rssBytes,
      pss_bytes: pssBytes,
      cpu_seconds: cpuSeconds,
      started_at: Math.round(startedAt),
    }));
  }

  async settled(): Promise<void> {
    await this.#context.watch.looked();
    await Promise.all([...this.#attempts.values()].map((attempt) => attempt.settled()));
  }

  async close(options: { endAll: boolean }): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // Nothing else keeps the process alive any more once the socket is closed.
    const alive = setInterval(() => undefined, 1000);
    try {
      await this.#closeAll(options.endAll);
    } finally {
      clearInterval(alive);
    }
  }

  async #closeAll(endAll: boolean): Promise<void> {
    const idle = this.#warm.close();
    const attempts = [...this.#attempts.values()];
    if (endAll) await Promise.all(attempts.map((attempt) => attempt.endForGood()));
    this.#leaving = true;
    await this.#place.close();
    for (const connection of this.#unknown) connection.destroy();
    await Promise.all(attempts.map((attempt) => attempt.detach()));
    this.#context.watch.close();
    await idle;
  }

  /** Takes a new connection; its first frame says whose it is. */
  meet(socket: Socket): void {
    if (this.#leaving) return void socket.destroy();
    const connection = new WorkerConnection(socket);
    this.#unknown.add(connection);
    const cancel = this.#context.clock.after(HELLO_MS, () => connection.destroy());
    const known = (): void => {
      cancel();
      this.#unknown.delete(connection);
    };
    connection.hand({
      frame: (frame) => {
        known();
        connection.hand({ frame: () => connection.destroy(), violated() {}, closed() {} });
        if (frame.type === 'hello') this.#hello(connection, frame);
        else connection.destroy();
      },
      violated: (problem) => {
        known();
        this.#context.logger.warn({ problem }, 'a connection said something that is no frame');
      },
      closed: known,
    });
  }

  #hello(connection: WorkerConnection, hello: Extract<WorkerFrame, { type: 'hello' }>): void {
    if (hello.protocol !== PROTOCOL_VERSION) {
      const message = `The core speaks protocol ${PROTOCOL_VERSION}, this worker ${hello.protocol}.`;
      return connection.refuse('protocol', message);
    }
    if (hello.attempt_id === null) return this.#warm.hello(connection, hello);
    if (this.#revoked.has(hello.attempt_id)) return connection.refuse('revoked', 'The attempt was revoked.');
    const attempt = this.#attempts.get(hello.attempt_id);
    if (attempt !== undefined) return void attempt.hello(connection, hello);
    // It may be taken over in a moment; the worker tries again.
    if (this.#context.clock.monotonic() < this.#strangersUntil) return connection.destroy();
    connection.refuse('unknown', 'The core knows no such attempt.');
  }
}
