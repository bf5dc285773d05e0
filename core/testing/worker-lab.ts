import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../kit/clock.ts';
import { silentLogger } from '../kit/logger.ts';
import { systemRandom } from '../kit/random.ts';
import type { Assignment, WorkerEvent } from '../protocol/frames.ts';
import type { AdoptOrder, AttemptExit, StartOrder, WorkerEvents } from '../workers/contract.ts';
import { createLocalWorkerPool } from '../workers/local-pool.ts';
import type { LocalWorkerPoolOptions } from '../workers/local-pool.ts';
import type { LocalWorkerPool } from '../workers/local/worker-pool.ts';
import { ProcessLab, until } from './process-trees.ts';
import type { WorkerScript } from './scripted-worker.ts';

/** The child entry that executes scripts. */
export const SCRIPTED_WORKER = {
  execPath: process.execPath,
  args: [fileURLToPath(new URL('./scripted-worker.ts', import.meta.url))],
};

/** What a lab's engine has heard of one attempt. */
export interface Heard {
  pid: number | null;
  pid_started: string | null;
  secret: string | null;
  connections: number;
  reconnections: { open_calls: readonly string[]; open_asks: readonly string[] }[];
  events: { seq: number; event: WorkerEvent }[];
  /** What an engine would have stored: survives a restart. */
  committed: number;
  exits: AttemptExit[];
}

/** How a lab's engine behaves. */
export interface EngineManners {
  /** Completes handshakes. */
  welcome: boolean;
  /** Commits and acknowledges. */
  ack: boolean;
  /** Lets a worker go once its last event is committed. */
  release: boolean;
}

const SILENT: WorkerEvents = { connected() {}, reconnected() {}, event() {}, exited() {} };

/** Real pools over a data folder, with an engine that only remembers. Dispose it after the test. */
export class WorkerLab {
  readonly processes = new ProcessLab();
  readonly home = this.processes.path('home');
  readonly manners: EngineManners = { welcome: true, ack: true, release: true };
  readonly #heard = new Map<string, Heard>();
  readonly #pools: LocalWorkerPool[] = [];
  #pool: LocalWorkerPool | null = null;
  #count = 0;

  /** A pool over the lab's folder; an earlier one must be closed. */
  async open(more: Partial<LocalWorkerPoolOptions> = {}): Promise<LocalWorkerPool> {
    const pool = await createLocalWorkerPool({
      home: this.home,
      clock: systemClock,
      random: systemRandom,
      logger: silentLogger,
      boot: `boot-${this.#pools.length}`,
      bundleVersion: () => 'bundle-1',
      childEntry: SCRIPTED_WORKER,
      events: this.#engine(() => pool),
      warm: 0,
      environment: process.env,
      ...more,
    });
    this.#pool = pool;
    this.#pools.push(pool);
    return pool;
  }

  get pool(): LocalWorkerPool {
    if (this.#pool === null) throw new Error('no pool is open');
    return this.#pool;
  }

  /** The core goes as if it was killed, as far as workers can see: nothing is told or heard any more. */
  async crash(): Promise<void> {
    await this.pool.close({ endAll: false });
    this.#pool = null;
  }

  /** What was heard of an attempt. */
  of(attemptId: string): Heard {
    const heard = this.#heard.get(attemptId) ?? {
      pid: null,
      pid_started: null,
      secret: null,
      connections: 0,
      reconnections: [],
      events: [],
      committed: 0,
      exits: [],
    };
    this.#heard.set(attemptId, heard);
    return heard;
  }

  /** An order for a run that executes the script in a workspace of its own. */
  order(script: WorkerScript | string, more: Partial<Assignment> = {}): StartOrder {
    this.#count += 1;
    const id = `${String(this.#count)}_${this.processes.runId}`;
    const run_id = `run_${id}`;
    const workspace = this.processes.path(`workspace-${this.#count}`);
    mkdirSync(workspace, { recursive: true });
    const goal = typeof script === 'string' ? script : script.toString();
    return {
      run_id,
      attempt_id: `att_${id}`,
      token: systemRandom.hex(64),
      folder: this.processes.path(`attempts/${this.#count}`),
      assignment: { ...assignmentFor(run_id, goal, workspace), ...more },
    };
  }

  /** What the next core knows of an attempt. */
  adoption(order: StartOrder, more: Partial<AdoptOrder> = {}): AdoptOrder {
    const heard = this.of(order.attempt_id);
    heard.connections = 0;
    return {
      run_id: order.run_id,
      attempt_id: order.attempt_id,
      secret_hash: heard.secret === null ? null : sha256(heard.secret),
      token_hash: sha256(order.token),
      pid: heard.pid,
      pid_started: heard.pid_started,
      committed: heard.committed,
      folder: order.folder,
      ...more,
    };
  }

  /** Makes a file that a script waits for. */
  signal(order: StartOrder, name: string): void {
    writeFileSync(`${order.assignment.workspace}/${name}`, '');
  }

  /** Lines of a file of the run's workspace. */
  notes(order: StartOrder, name: string): string[] {
    const path = `${order.assignment.workspace}/${name}`;
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  }

  async noted(order: StartOrder, name: string, count = 1): Promise<string[]> {
    await until(`${count} lines in ${name}`, () => this.notes(order, name).length >= count);
    return this.notes(order, name);
  }

  /** The end of an attempt, once it was told. */
  async exit(order: StartOrder, limitMs = 60_000): Promise<AttemptExit> {
    const { exits } = this.of(order.attempt_id);
    await until('the end of the attempt', () => exits.length > 0, limitMs);
    return exits[0] as AttemptExit;
  }

  /** The events of a type, in order. */
  events<T extends WorkerEvent['type']>(order: StartOrder, type: T): Extract<WorkerEvent, { type: T }>[] {
    const all = this.of(order.attempt_id).events.map(({ event }) => event);
    return all.filter((event): event is Extract<WorkerEvent, { type: T }> => event.type === type);
  }

  async event<T extends WorkerEvent['type']>(order: StartOrder, type: T): Promise<Extract<WorkerEvent, { type: T }>> {
    await until(`an event ${type}`, () => this.events(order, type).length > 0);
    return this.events(order, type)[0] as Extract<WorkerEvent, { type: T }>;
  }

  /** Commits and acknowledges what was heard. */
  commit(attemptId: string): void {
    const heard = this.of(attemptId);
    const last = heard.events.at(-1);
    if (last === undefined || last.seq <= heard.committed) return;
    heard.committed = last.seq;
    this.#pool?.ack(attemptId, last.seq);
    const ended = heard.events.some(({ event }) => event.type === 'ended');
    if (ended && this.manners.release) this.#pool?.release(attemptId);
  }

  /** Ends everything; returns what was left running. */
  async dispose(): Promise<string[]> {
    this.manners.ack = true;
    for (const id of this.#heard.keys()) this.commit(id);
    for (const pool of this.#pools) await pool.close({ endAll: true });
    const left = await this.processes.dispose();
    return left.map(({ pid, command }) => `${pid} ${command}`);
  }

  #engine(pool: () => LocalWorkerPool): WorkerEvents {
    const isOpen = (): boolean => this.#pool !== null && this.#pool === pool();
    const engine: WorkerEvents = {
      connected: ({ attempt_id, pid, pid_started, secret }) => {
        const heard = this.of(attempt_id);
        Object.assign(heard, { pid, pid_started, secret, connections: heard.connections + 1 });
        if (this.manners.welcome) setImmediate(() => pool().welcome(attempt_id));
      },
      reconnected: ({ attempt_id, open_calls, open_asks }) =>
        void this.of(attempt_id).reconnections.push({ open_calls, open_asks }),
      event: (attempt_id, seq, event) => {
        this.of(attempt_id).events.push({ seq, event });
        if (this.manners.ack) setImmediate(() => isOpen() && this.commit(attempt_id));
      },
      exited: (exit) => void this.of(exit.attempt_id).exits.push(exit),
    };
    return { ...SILENT, ...engine };
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** An assignment with nothing special about it. */
export function assignmentFor(runId: string, goal: string, workspace: string): Assignment {
  return {
    run_id: runId,
    conversation_id: 'conv_lab',
    lead: false,
    depth: 1,
    agent: { id: 'general', runner: 'builtin', description: '', source: 'builtin' },
    goal,
    context: null,
    files: [],
    images: [],
    output_schema: null,
    effort: null,
    workspace,
    project: workspace,
    isolated: false,
    permission: 'auto',
    tools: null,
    delegate: null,
    models: [],
    limits: {
      max_turns: 250,
      max_tool_calls: null,
      max_cost_usd: null,
      max_tokens: null,
      timeout_seconds: null,
      idle_seconds: 450,
      tool_idle_seconds: 1200,
      open_request_seconds: 1800,
      stop_grace_seconds: 5,
      retries: 5,
    },
    environment: { PATH: process.env.PATH ?? '' },
    hidden_variables: [],
    spill_folder: workspace,
    steers: [],
    session: null,
  };
}
