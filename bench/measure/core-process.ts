import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectLocal } from '../../core/host/serve/connect-local.ts';
import type { LocalConnection } from '../../core/host/serve/local-connection.ts';
import type { FeedMessage } from '../../core/protocol/feed.ts';
import { childrenOf, cpuOf, outputOf, pssOf } from './process-usage.ts';
import { ROOT } from './results.ts';
import { until } from './until.ts';

/** Workers that a core keeps ready when it is at rest. */
const WARM_WORKERS = 2;

/** At rest is who has used nothing for so long: longer than the pause before the pool is filled up. */
const QUIET_MS = 600;

/** Processor seconds of a core and all it has started. */
export interface CoreUsage {
  readonly core: number;
  readonly workers: number;
}

/** How a dispatched set went. */
export interface Dispatched {
  /** Milliseconds from the call of `dispatch` until a client that follows the conversation was told that the set has ended. */
  readonly wallMs: number;
}

/** The built `espalier serve` on a fresh data folder with one scratch project, and a client that follows it as any app does. */
export class CoreProcess {
  readonly #process: ChildProcess;
  readonly #connection: LocalConnection;
  readonly #projectId: string;
  #dispatches = 0;

  private constructor(process: ChildProcess, connection: LocalConnection, projectId: string) {
    this.#process = process;
    this.#connection = connection;
    this.#projectId = projectId;
  }

  /** @param folder an empty one, for data and project */
  static async start(folder: string, modelUrl: string): Promise<CoreProcess> {
    const [home, project] = [join(folder, 'home'), join(folder, 'project')];
    for (const path of [home, project]) mkdirSync(path, { mode: 0o700 });
    const settings = {
      providers: { bench: { kind: 'openai-compatible', baseUrl: `${modelUrl}/v1` } },
      defaultModel: 'bench/instant',
      permission: 'auto',
    };
    writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
    const child = spawn(process.execPath, [join(ROOT, 'bin', 'espalier.mjs'), 'serve', '--json'], {
      env: { ...process.env, ESPALIER_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // A bench that breaks leaves no core behind.
    process.once('exit', () => child.kill());
    const lines = createInterface({ input: child.stdout });
    await Promise.race([once(lines, 'line'), once(child, 'exit')]);
    const connected = await connectLocal(home, 'bench');
    if (!connected.ok) throw new Error(connected.error.message);
    const row = await connected.value.client.projects.add({ path: project });
    return new CoreProcess(child, connected.value, row.project_id);
  }

  get pid(): number {
    return this.#connection.pid;
  }

  /** Dispatches a set of tasks, each in the same words, and waits for its end. Throws when not all have completed. */
  async dispatch(goal: string, count: number, maxConcurrent: number): Promise<Dispatched> {
    const { client } = this.#connection;
    const feed = await client.live.subscribe({ client: 'bench', can_answer: false, scopes: [] });
    const hello = await feed.next();
    if (hello.done === true || hello.value.type !== 'hello') throw new Error('the feed did not begin with hello');
    const { subscription_id } = hello.value;
    this.#dispatches += 1;
    const tasks = Array.from({ length: count }, (_, at) => ({ goal: `${goal}, number ${at + 1}.` }));
    const began = performance.now();
    const { conversation_id, delegation_id } = await client.batches.dispatch({
      project_id: this.#projectId,
      conversation_id: null,
      batch: { tasks, max_concurrent: maxConcurrent },
      client_token: `bench-${this.#dispatches}`,
    });
    await client.live.scopes({ subscription_id, scopes: [{ type: 'conversation', conversation_id }] });
    for await (const message of feed) {
      if (message.type === 'hello') continue;
      if (hasEnded(message, delegation_id)) break;
      await client.live.ack({ subscription_id, rev: message.rev });
    }
    const wallMs = performance.now() - began;
    const { result } = await client.sets.show({ id: delegation_id });
    if (result?.status !== 'completed') throw new Error(`the set ended ${result?.status}: ${JSON.stringify(result)}`);
    return { wallMs };
  }

  /** Processor time so far, of what has ended and of what is alive. */
  usage(): CoreUsage {
    const { own, reaped } = cpuOf(this.pid) ?? { own: 0, reaped: 0 };
    const alive = childrenOf(this.pid).reduce((sum, pid) => {
      const cpu = cpuOf(pid);
      return sum + (cpu === null ? 0 : cpu.own + cpu.reaped);
    }, 0);
    return { core: own, workers: reaped + alive };
  }

  /** Its workers that have a task, and those that wait for one. */
  workers(): { readonly busy: number[]; readonly idle: number[] } {
    const all = childrenOf(this.pid);
    const idle = all.filter((pid) => outputOf(pid).includes('/workers/idle/'));
    return { busy: all.filter((pid) => !idle.includes(pid)), idle };
  }

  /** Waits until `busy` workers have a task, the pool is full, and nobody uses the processor any more. */
  async atRest(busy = 0): Promise<void> {
    let [used, since] = [-1, performance.now()];
    await until('the core to be at rest', () => {
      const workers = this.workers();
      const now = this.usage();
      const total = now.core + now.workers;
      // A tick in between is the core's own housekeeping.
      if (workers.busy.length !== busy || workers.idle.length !== WARM_WORKERS || total - used > 0.015) {
        [used, since] = [total, performance.now()];
      }
      return performance.now() - since > QUIET_MS;
    });
  }

  /** Bytes (PSS) of the core itself. */
  memory(): number {
    return pssOf(this.pid) ?? 0;
  }

  async close(): Promise<void> {
    this.#connection.close();
    if (this.#process.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
  }
}

function hasEnded(message: Exclude<FeedMessage, { type: 'hello' }>, delegationId: string): boolean {
  const rows =
    message.type === 'snapshot'
      ? message.snapshot.sets
      : message.changes.flatMap((change) => (change.type === 'set' ? [change.row] : []));
  return rows.some((row) => row.delegation_id === delegationId && row.status !== 'running');
}
