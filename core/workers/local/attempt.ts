import type { CancelTimer } from '../../kit/clock.ts';
import { delay } from '../../kit/clock.ts';
import type { TreeUsage } from '../../kit/process-tree/tree-usage.ts';
import type { Assignment, CoreFrame, WorkerFrame } from '../../protocol/frames.ts';
import type { AdoptOrder, StartOrder } from '../contract.ts';
import type { ExitInfo } from '../processes/spawn-detached.ts';
import { hasBegun, spoolPath } from '../wire/spool-file.ts';
import { AckPace } from './ack-pace.ts';
import { takeLastWords } from './attempt-end.ts';
import type { AttemptFacts } from './attempt-facts.ts';
import { moveOutputs, outputPaths, processesOf, tidyAttempt } from './attempt-files.ts';
import type { OutputPaths } from './attempt-files.ts';
import { AttemptKeys } from './attempt-keys.ts';
import { countdown } from './countdown.ts';
import { errorTail } from './error-tail.ts';
import { EventIntake } from './event-intake.ts';
import type { PoolContext } from './pool-context.ts';
import { watchSilence, type SilenceWatch } from './silence-watch.ts';
import { Supervision } from './supervision.ts';
import type { IdleWorker } from './warm-workers.ts';
import type { ConnectionListener, WorkerConnection } from './worker-connection.ts';
import { startWorker } from './worker-process.ts';
import type { WorkerProcess } from './worker-process.ts';

type Hello = Extract<WorkerFrame, { type: 'hello' }>;
type StopReason = 'stop' | 'deadline' | 'stalled';

/** From SIGTERM to SIGKILL for a worker with which nothing polite can be arranged. */
const RUDE_GRACE_MS = 500;

/** From the request to SIGKILL when the whole pool ends. */
const CLOSE_GRACE_MS = 2000;
const CLOSE_LIMIT_MS = 15_000;

/** What a worker is told that comes to be given its task after the stop: it never begins it (C3). */
const STOPPED = 'The attempt was stopped before its task was sent.';

/** A worker may come back so often after saying something that is no frame, without telling anything new in between. */
const VIOLATIONS_ALLOWED = 3;

/**
 * One attempt and its worker, from the order to the proved end. `starting`: no connection yet; `greeted`: the worker has shown its token and the
 * engine stores the secret; `live`: it works, connected or not; `ended`: told.
 */
export class Attempt implements ConnectionListener {
  readonly id: string;
  readonly runId: string;
  readonly #context: PoolContext;
  readonly #onGone: () => void;
  readonly #folder: string;
  readonly #intake: EventIntake;
  readonly #acks: AckPace;
  readonly #keys: AttemptKeys;
  readonly #supervision: Supervision;
  readonly #cancelStart = new AbortController();
  readonly #told = Promise.withResolvers<void>();
  #outputs: OutputPaths;
  #assignment: Assignment | null;
  #phase: 'starting' | 'greeted' | 'live' | 'ended' = 'starting';
  #known: boolean;
  /** Started by this core, not taken over. */
  #ordered = false;
  #connection: WorkerConnection | null = null;
  /** Frames for after the welcome, while that waits for the supervision; null when they go straight out. */
  #outgoing: CoreFrame[] | null = null;
  #stopReason: StopReason | null = null;
  #released = false;
  #concluded = false;
  #detached = false;
  #violations = 0;
  #problem: string | null = null;
  /** Null before its worker is at work, and after it. */
  #silence: SilenceWatch | null = null;
  #silent: string | null = null;
  readonly #idleSeconds: number | null;
  #cancelGrace: CancelTimer = () => undefined;
  #leaveGate: () => void = () => undefined;
  #leaveAgentGate: () => void = () => undefined;

  /** @param onGone called when the pool may forget the attempt: its end is told, and its last event committed */
  constructor(context: PoolContext, facts: AttemptFacts, onGone: () => void) {
    this.#context = context;
    this.id = facts.id;
    this.runId = facts.runId;
    this.#folder = facts.folder;
    this.#outputs = outputPaths(facts.folder);
    this.#assignment = facts.assignment;
    this.#idleSeconds = facts.assignment?.limits.idle_seconds ?? null;
    this.#keys = new AttemptKeys({ token: facts.tokenHash, secret: facts.secretHash });
    this.#supervision = new Supervision(context, {
      attempt: this,
      processes: (root) => processesOf(context.scanner, root, this, this.#outputs, this.#assignment),
      onGone: (exit) => void this.#conclude(exit),
    });
    this.#known = facts.secretHash !== null;
    this.#onGone = onGone;
    this.#acks = new AckPace(context.clock, (seq) => this.#connection?.send({ type: 'ack', seq }));
    this.#intake = new EventIntake({
      committed: facts.committed,
      deliver: (seq, event) => {
        if (!this.#detached) context.events.event(this.id, seq, event);
      },
      pressure: (full) => (full ? this.#connection?.pause() : this.#connection?.resume()),
    });
  }

  /** Starts a worker for it. */
  async begin(order: StartOrder): Promise<void> {
    const context = this.#context;
    this.#ordered = true;
    this.#leaveAgentGate = await context.agentGates.enter(order.assignment.agent, this.#cancelStart.signal);
    const leave = await context.gate.enter(this.#cancelStart.signal);
    if (leave === null) return this.#conclude(null);
    this.#leaveGate = leave;
    const input = {
      token: order.token,
      attempt_id: this.id,
      address_file: context.addressFile,
      bundle: context.bundleVersion(),
      runner: order.assignment.agent.runner,
    };
    const place = { folder: this.#folder, runId: this.runId };
    const starting = startWorker(context.program, input, place, context.scanner.source);
    this.#supervision.expect(starting.then((started) => (started.ok ? started.value : null)));
    const started = await starting;
    if (!started.ok) {
      this.#problem = started.error.message;
      return this.#conclude(null);
    }
    if (this.#detached) return; // It connects to the next core.
    this.#supervision.take(started.value);
    if (this.#cancelStart.signal.aborted) return this.#end(0, null);
    if (this.#phase === 'starting') this.#await('It did not connect to the core in time.');
  }

  /** Gives it to a worker that waited in the pool. */
  async beginOn(idle: IdleWorker): Promise<void> {
    const { worker, connection } = idle;
    this.#ordered = true;
    this.#supervision.expect(Promise.resolve(worker));
    this.#connection = connection;
    connection.hand(this);
    this.#outputs = await moveOutputs(idle.folder, this.#folder);
    this.#supervision.take(worker);
    if (this.#cancelStart.signal.aborted) return this.#end(0, null);
    this.#greet(connection, worker);
  }

  /** Waits for a worker that an earlier core started (D5). */
  adopt(order: AdoptOrder): void {
    const { pid, pid_started } = order;
    if (pid !== null && pid_started !== null) this.#supervision.readopt({ pid, startTime: pid_started });
    this.#await('It did not come back to the core in time.');
  }

  /** A worker says that it is this attempt's. */
  async hello(connection: WorkerConnection, hello: Hello): Promise<void> {
    if (this.#detached) return connection.destroy();
    if (this.#concluded) return connection.refuse('revoked', 'The attempt has ended.');
    if (this.#keys.isSecret(hello.token)) return this.#resume(connection, hello);
    if (!this.#keys.spendToken(hello.token)) {
      this.#context.logger.warn({ attempt: this.id }, 'a worker showed a wrong token or secret');
      return connection.refuse('token', 'The token or secret is not the one of this attempt.');
    }
    await this.#meet(connection, hello.pid);
  }

  async #meet(connection: WorkerConnection, pid: number): Promise<void> {
    const worker = await this.#supervision.workerOr(pid);
    if (this.#detached) return connection.destroy();
    if (this.#assignment === null) {
      this.#problem = 'The core restarted before the task was sent.';
      return connection.refuse('revoked', this.#problem);
    }
    if (worker === null || this.#concluded) return connection.refuse('revoked', 'The attempt has ended.');
    if (this.#supervision.isEnding) return connection.refuse('revoked', STOPPED);
    this.#connection = connection;
    connection.hand(this);
    if (connection.isOpen) this.#greet(connection, worker);
    else this.#end(RUDE_GRACE_MS, null);
  }

  /** Gives up an attempt without a connection; a worker that only its marker tells of is found and ended. */
  async #giveUp(): Promise<void> {
    if (!this.#ordered) await this.#supervision.findMarked();
    if (this.#supervision.holds) this.#end(RUDE_GRACE_MS, null);
    else await this.#conclude(null);
  }

  #greet(connection: WorkerConnection, worker: WorkerProcess): void {
    this.#cancelGrace();
    this.#leaveGate();
    connection.trust();
    this.#phase = 'greeted';
    this.#known = true;
    const secret = this.#keys.makeSecret(this.#context.random);
    const { pid, startTime } = worker.identity;
    if (this.#detached) return;
    this.#context.events.connected({ attempt_id: this.id, pid, pid_started: startTime, secret });
  }

  #resume(connection: WorkerConnection, hello: Hello): void {
    this.#connection?.replace();
    this.#connection = connection;
    this.#cancelGrace();
    this.#leaveGate();
    this.#phase = 'live';
    this.#outgoing = null;
    this.#listen();
    connection.hand(this);
    connection.trust();
    if (this.#intake.isFull) connection.pause();
    this.#acks.close(); // The welcome says all.
    connection.send({ ...this.#welcomeFrame(), secret: null, assignment: null, folder: null });
    if (this.#released) return connection.send({ type: 'end' });
    if (this.#stopReason !== null) connection.send({ type: 'stop', reason: this.#stopReason });
    if (this.#detached) return;
    const { pid, open_calls, open_asks } = hello;
    this.#context.events.reconnected({ attempt_id: this.id, pid, open_calls, open_asks });
  }

  /** See `WorkerPool.welcome`. The task is handed over only once nothing can leave the worker's tree unseen. */
  welcome(): void {
    if (this.#phase !== 'greeted') return;
    this.#phase = 'live';
    this.#outgoing = [];
    this.#listen();
    void this.#supervision.sealed().then(() => this.#sendWelcome());
  }

  #sendWelcome(): void {
    const frames = this.#outgoing;
    if (frames === null || this.#concluded) return;
    this.#outgoing = null;
    if (this.#supervision.isEnding) return this.#connection?.refuse('revoked', STOPPED);
    this.#connection?.send(this.#welcomeFrame());
    this.#assignment = null; // Keys stay in memory no longer than they must.
    this.#keys.sent();
    for (const frame of frames) this.#connection?.send(frame);
  }

  #welcomeFrame(): Extract<CoreFrame, { type: 'welcome' }> {
    return {
      type: 'welcome',
      boot: this.#context.boot,
      committed: this.#intake.acked,
      secret: this.#keys.unsent,
      attempt_id: this.id,
      assignment: this.#assignment,
      folder: this.#folder,
    };
  }

  /** From now on it is noticed when nothing comes from the worker any more (R7). */
  #listen(): void {
    this.#silence?.close();
    const hearer = { connection: () => this.#connection, isFull: () => this.#intake.isFull };
    this.#silence = watchSilence(this.#context, this.#idleSeconds, hearer, (words) => {
      this.#silent = words;
      this.#end(0, null);
    });
  }

  frame(frame: WorkerFrame, bytes: number): void {
    this.#silence?.heard();
    if (frame.type === 'pong') return;
    if (frame.type === 'hello' || this.#phase !== 'live' || this.#outgoing !== null) return this.#breach('out of turn');
    const became = this.#intake.take(frame.seq, frame.event, bytes);
    if (frame.event.type === 'ready') this.#leaveAgentGate();
    if (became === 'taken') this.#violations = 0;
    if (became === 'gap') this.#breach(`a gap before event ${frame.seq}`);
  }

  #breach(problem: string): void {
    this.#connection?.destroy();
    this.violated(problem);
  }

  violated(problem: string): void {
    this.#violations += 1;
    this.#context.logger.warn({ attempt: this.id, problem }, 'a worker broke the protocol');
    if (this.#concluded || (this.#phase === 'live' && this.#violations < VIOLATIONS_ALLOWED)) return;
    this.#problem = `It broke the protocol of workers: ${problem}.`;
    this.#end(RUDE_GRACE_MS, null);
  }

  closed(): void {
    if (this.#concluded) return;
    // Its token is spent: without the secret it cannot come back.
    if (this.#phase === 'greeted') return this.#end(RUDE_GRACE_MS, null);
    this.#await('It lost its connection to the core and did not come back.');
  }

  ack(seq: number): void {
    const bytes = this.#intake.ack(seq);
    if (bytes === 0) return;
    this.#acks.committed(this.#intake.acked, bytes);
    if (this.#phase === 'ended') void this.#tidy();
  }

  send(frame: CoreFrame): void {
    if (this.#phase !== 'live' || this.#concluded) return;
    this.#acks.flush();
    if (this.#outgoing === null) this.#connection?.send(frame);
    else this.#outgoing.push(frame);
  }

  stop(reason: StopReason, graceMs: number): void {
    // Also when it is being stopped already, with more time.
    if (graceMs === 0) this.#supervision.hurry();
    if (this.#supervision.holds) this.#end(graceMs, reason);
    else if (this.#ordered) this.#cancelStart.abort();
    else void this.#giveUp();
  }

  release(): void {
    if (this.#concluded || this.#released) return;
    this.#released = true;
    this.send({ type: 'end' });
    const { clock, timings } = this.#context;
    clock.after(timings.releaseMs, () => this.#end(RUDE_GRACE_MS, null));
  }

  revoke(): void {
    this.#keys.revoke();
    this.stop('stop', RUDE_GRACE_MS);
  }

  async sample(): Promise<TreeUsage | null> {
    return this.#concluded ? null : this.#supervision.sample();
  }

  /** The start itself broke: tells the end with the message as its reason. */
  fail(message: string): void {
    this.#problem = message;
    if (this.#supervision.holds) this.#end(RUDE_GRACE_MS, null);
    else void this.#conclude(null);
  }

  /** Stops it with the pool; resolves when its end was told. */
  async endForGood(): Promise<void> {
    if (this.#phase === 'ended') return;
    this.stop('stop', CLOSE_GRACE_MS);
    // An engine that cannot commit any more would hold up the end of everything.
    await Promise.race([this.#told.promise, delay(this.#context.clock, CLOSE_LIMIT_MS)]);
  }

  /** Resolves when its end is told, if its worker is known to be gone. */
  async settled(): Promise<void> {
    if (this.#concluded && !this.#detached && this.#phase !== 'ended') await this.#told.promise;
  }

  /** Leaves the worker alone: the core goes, the worker stays. Nothing is told any more. */
  async detach(): Promise<void> {
    this.#detached = true;
    this.#concluded = true;
    this.#acks.close();
    this.#silence?.close();
    this.#cancelStart.abort();
    this.#cancelGrace();
    this.#connection?.replace();
    await this.#supervision.leave();
  }

  /** Ends it unless a worker connects in time. */
  #await(problem: string): void {
    this.#cancelGrace();
    this.#cancelGrace = countdown(this.#context.clock, this.#context.timings.connectMs, () => {
      this.#problem = problem;
      void this.#giveUp();
    });
  }

  /** Begins to end the whole tree, once. With a reason the worker is asked first. */
  #end(graceMs: number, reason: StopReason | null): void {
    if (this.#supervision.isEnding || this.#concluded) return;
    this.#stopReason = reason;
    this.#supervision.end(graceMs, (gone) => {
      const connection = this.#connection;
      if (reason === null || this.#phase !== 'live' || connection?.isOpen !== true) return null;
      return async () => {
        this.send({ type: 'stop', reason });
        await Promise.race([gone, connection.closed]);
      };
    });
  }

  /** The worker is gone, or given up, or never was: takes in its last words, looks after its tree, tells. Once. */
  async #conclude(exit: ExitInfo | null): Promise<void> {
    if (this.#concluded) return;
    this.#concluded = true;
    this.#silence?.close();
    this.#cancelGrace();
    this.#leaveGate();
    this.#leaveAgentGate();
    const { clock, timings, events } = this.#context;
    await takeLastWords({ connection: this.#connection, spool: spoolPath(this.#folder), intake: this.#intake }, clock);
    const receipt = await this.#supervision.rest(timings.leftoverMs);
    const tail = await errorTail(this.#outputs.stderr);
    this.#phase = 'ended';
    this.#acks.close();
    if (this.#detached) return;
    events.exited({
      attempt_id: this.id,
      connected: this.#known,
      active: this.#intake.seen > 0 || hasBegun(this.#folder),
      // One that we ended because it never came did not end by itself.
      exit: this.#known || !this.#supervision.isEnding ? exit : null,
      by_itself: this.#supervision.holds && !this.#supervision.isEnding,
      ...receipt,
      silent: this.#silent,
      stderr_tail: [tail, this.#problem ?? ''].filter(Boolean).join('\n'),
    });
    this.#told.resolve();
    await this.#supervision.close();
    await this.#tidy();
  }

  async #tidy(): Promise<void> {
    if (this.#intake.acked < this.#intake.seen) return;
    await tidyAttempt(this.#folder, this.#outputs);
    this.#onGone();
  }
}
