import { readFileSync } from 'node:fs';
import { systemClock } from '../../kit/clock.ts';
import type { Clock } from '../../kit/clock.ts';

import type { Assignment, CoreFrame, WorkerEvent, WorkerFrame } from '../../protocol/frames.ts';
import type { RunReport } from '../../protocol/report.ts';
import { PROTOCOL_VERSION } from '../../protocol/version.ts';
import type { Runner } from '../../runners/contract.ts';
import { parseStartInput } from '../wire/start-input.ts';
import type { StartInput } from '../wire/start-input.ts';
import { CoreLink } from './core-link.ts';
import type { LinkListener } from './core-link.ts';
import { fallbackReport } from './fallback-report.ts';
import { Outbox } from './outbox.ts';
import type { OutboxLimits, Room } from './outbox.ts';
import { lazyRandom } from './lazy-random.ts';
import { RunPort } from './run-port.ts';
import { Spool } from './spool.ts';

/** Loads a runner; called when it is known that it is needed, so that its modules cost nothing before. */
export type LoadRunner = () => Promise<Runner>;

/** What {@link runWorker} is told. */
export interface WorkerOptions {
  /** By the runner's name in the agent's definition. */
  readonly runners: Readonly<Record<string, LoadRunner | undefined>>;
  /** Bounds of memory and spool; for tests. */
  readonly limits?: OutboxLimits;
  /** Opens, in the attempt's folder, what hears of every event before it is sent; for tests. */
  readonly journal?: (folder: string) => (seq: number, event: WorkerEvent) => void;
}

/** A worker that has ended its run, or has none, leaves after so long without a core; its spool tells the next one. */
const ALONE_MS = 60_000;

/** The core tells to end right after the last acknowledgement; a worker that is forgotten leaves by itself. */
const FORGOTTEN_MS = 10_000;

/** A runner that was told to end by its own limits gets this beyond the stop grace before it is given up. */
const GIVE_UP_MS = 5000;

const EXIT_REFUSED = 1;
const EXIT_PROTOCOL = 3;

/** The program of a worker process: connects to the core that started it, executes one attempt, ends the process. */
export function runWorker(options: WorkerOptions): void {
  new Worker(parseStartInput(readFileSync(0, 'utf8')), options, systemClock).begin();
}

class Worker implements LinkListener {
  readonly #input: StartInput;
  readonly #runners: WorkerOptions['runners'];
  readonly #limits: OutboxLimits | undefined;
  readonly #journal: WorkerOptions['journal'];
  readonly #clock: Clock;
  readonly #link: CoreLink;
  #attemptId: string | null;
  #token: string;
  #outbox: Outbox | null = null;
  #port: RunPort | null = null;
  #over = false;
  #terminated = false;
  #storageLost = false;

  constructor(input: StartInput, options: WorkerOptions, clock: Clock) {
    this.#input = input;
    this.#runners = options.runners;
    this.#limits = options.limits;
    this.#journal = options.journal;
    this.#clock = clock;
    this.#attemptId = input.attempt_id;
    this.#token = input.token;
    this.#link = new CoreLink({ addressFile: input.address_file, clock, listener: this });
  }

  begin(): void {
    // The clock's timers keep no process alive, and a run may wait for nothing but the core.
    setInterval(() => this.#leaveIfAlone(), 1000);
    process.on('exit', () => this.#save(false));
    this.#link.open();
    if (this.#attemptId !== null) this.#preload(this.#input.runner);
  }

  hello(): Extract<WorkerFrame, { type: 'hello' }> {
    return {
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      attempt_id: this.#attemptId,
      token: this.#token,
      pid: process.pid,
      bundle: this.#input.bundle,
      open_calls: this.#port?.openCalls ?? [],
      open_asks: this.#port?.openAsks ?? [],
    };
  }

  drained(): void {
    this.#outbox?.drained();
  }

  down(): void {
    // One of the pool without an attempt has no core any more to wait for.
    if (this.#input.attempt_id === null && this.#port === null) process.exit(0);
    this.#outbox?.disconnect();
    this.#leaveIfSaved();
  }

  frame(frame: CoreFrame): void {
    switch (frame.type) {
      case 'welcome':
        return this.#welcome(frame);
      case 'pooled':
        return this.#preload(this.#input.runner);
      case 'refused':
        return this.#refused(frame);
      case 'ack':
        return this.#outbox?.ack(frame.seq);
      case 'end':
        return process.exit(0);
      case 'ping':
        return this.#link.send({ type: 'pong', at: frame.at });
      case 'steer':
      case 'message':
      case 'answer':
      case 'call_result':
      case 'notice':
      case 'limits':
      case 'hold':
      case 'pause':
      case 'resume':
      case 'finish':
      case 'stop':
        return this.#port?.frame(frame);
    }
  }

  #welcome(frame: Extract<CoreFrame, { type: 'welcome' }>): void {
    this.#link.welcomed();
    if (frame.secret !== null) this.#token = frame.secret;
    this.#attemptId = frame.attempt_id;
    const { assignment, folder } = frame;
    const known = this.#outbox;
    if (known !== null) return known.connect(this.#link, frame.committed);
    if (assignment === null || folder === null) return;
    this.#prepare(frame.attempt_id, assignment, folder).connect(this.#link, frame.committed);
    void this.#execute(assignment);
  }

  #prepare(attemptId: string, assignment: Assignment, folder: string): Outbox {
    const clock = this.#clock;
    const spool = new Spool(folder);
    const onRoom = (room: Room): void => this.#room(room);
    const outbox = new Outbox({
      spool,
      clock,
      onRoom,
      ...(this.#limits === undefined ? {} : { limits: this.#limits }),
      ...(this.#journal === undefined ? {} : { journal: this.#journal(folder) }),
    });
    this.#outbox = outbox;
    const push = outbox.push.bind(outbox);
    const port = new RunPort({ clock, random: lazyRandom, attemptId, assignment, push });
    this.#port = port;
    // The second rung of a stop: what the run has to say is still said.
    process.on('SIGTERM', () => {
      this.#terminated = true;
      port.stopNow('stop');
      this.#leaveIfSaved();
    });
    process.on('SIGINT', () => undefined);
    process.on('SIGHUP', () => undefined);
    return outbox;
  }

  async #execute(assignment: Assignment): Promise<void> {
    const port = this.#run();
    try {
      const load = this.#runners[assignment.agent.runner];
      if (load === undefined) throw new Error(`there is no runner ${assignment.agent.runner}`);
      const run = await load();
      const end = await Promise.race([run(assignment, port), this.#givenUp(assignment)]);
      this.#finish(end.report, end.session);
    } catch (error) {
      if (!port.stop.aborted) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      this.#finish(fallbackReport(port, port.stop.aborted ? port.stop.reason : error), null);
    }
  }

  #run(): RunPort {
    if (this.#port === null) throw new Error('The worker has no run');
    return this.#port;
  }

  /** Rejects when the runner does not end although it was told to. */
  #givenUp(assignment: Assignment): Promise<never> {
    const { stop } = this.#run();
    return new Promise((_, reject) => {
      const wait = (): void => {
        const ms = assignment.limits.stop_grace_seconds * 1000 + GIVE_UP_MS;
        this.#clock.after(ms, () => reject(stop.reason as Error));
      };
      if (stop.aborted) wait();
      else stop.addEventListener('abort', wait, { once: true });
    });
  }

  #finish(report: RunReport, session: unknown): void {
    if (this.#over || this.#outbox === null) return;
    this.#over = true;
    this.#run().close();
    const told = this.#storageLost
      ? {
          ...report,
          cut_by: null,
          error: { reason: 'storage' as const, message: 'There was no room to store the run.' },
        }
      : report;
    this.#outbox.push({ type: 'ended', last_seq: this.#outbox.last + 1, report: told, session: session ?? null });
    void this.#outbox.settled().then(() => this.#clock.after(FORGOTTEN_MS, () => process.exit(0)));
    this.#leaveIfSaved();
  }

  #room(room: Room): void {
    this.#run().setRoom(room === 'free');
    if (room !== 'over' || this.#over) return;
    this.#storageLost = true;
    this.#run().stopNow('stop');
  }

  #refused({ code, message }: Extract<CoreFrame, { type: 'refused' }>): void {
    process.stderr.write(`The core refused this worker: ${message}\n`);
    this.#link.close();
    const status = code === 'protocol' ? EXIT_PROTOCOL : EXIT_REFUSED;
    if (this.#port === null || this.#over) process.exit(status);
    // Nobody wants the run any more; what it did is left in the spool.
    this.#terminated = true;
    process.exitCode = status;
    this.#port.stopNow('stop');
  }

  /** A run that has ended and cannot tell it to a core is told by its spool (D5). */
  #leaveIfAlone(): void {
    if (this.#link.downMs < ALONE_MS) return;
    if (this.#port === null) process.exit(EXIT_REFUSED);
    if (this.#over && this.#save(true)) process.exit();
  }

  /** One that was told to end by a signal does not wait for a core. */
  #leaveIfSaved(): void {
    if (this.#terminated && this.#over && !this.#link.isUp && this.#save(true)) process.exit();
  }

  #save(durable: boolean): boolean {
    if (this.#outbox === null) return true;
    try {
      return this.#outbox.save({ durable });
    } catch {
      return false; // The folder is gone; there is nowhere to leave it.
    }
  }

  /** Loads the runner's modules while there is nothing else to do; if that fails, the run says so when it begins. */
  #preload(runner: string): void {
    this.#runners[runner]?.().catch(() => undefined);
  }
}
