import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectLocal } from '../../core/host/serve/connect-local.ts';
import type { ApiClient, LocalConnection } from '../../core/host/serve/local-connection.ts';
import type { CoreFigures, FromCore, MeasuredOrders, ToCore } from './core-figures.ts';

/** A core in a process of its own that measures itself, on a data folder below `folder`, with one scratch project. */
export class MeasuredCore {
  /** Address of the web app, with its token. */
  readonly url: string;
  readonly client: ApiClient;
  readonly projectId: string;
  readonly projectFolder: string;
  /** File of the project's database. */
  readonly database: string;
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #connection: LocalConnection;

  private constructor(
    child: ChildProcess,
    facts: Pick<MeasuredCore, 'url' | 'projectId' | 'projectFolder' | 'database'>,
    connection: LocalConnection,
  ) {
    this.#process = child;
    this.pid = child.pid ?? 0;
    this.url = facts.url;
    this.projectId = facts.projectId;
    this.projectFolder = facts.projectFolder;
    this.database = facts.database;
    this.#connection = connection;
    this.client = connection.client;
  }

  /** @param options.folder is the home of the core; its data folder is `home` in it */
  static async start(options: {
    readonly folder: string;
    readonly settings: object;
    readonly workerEntry?: string;
    /** More options of Node. */
    readonly execArgv?: readonly string[];
  }): Promise<MeasuredCore> {
    const [home, project] = [join(options.folder, 'home'), join(options.folder, 'project')];
    for (const path of [home, project]) mkdirSync(path, { mode: 0o700, recursive: true });
    writeFileSync(join(home, 'settings.json'), JSON.stringify(options.settings));
    const environment = { PATH: process.env['PATH'] ?? '', HOME: options.folder };
    const orders: MeasuredOrders = { home, workerEntry: options.workerEntry ?? null, environment };
    const child = fork(new URL('./measured-core-program.ts', import.meta.url), [JSON.stringify(orders)], {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      execArgv: ['--expose-gc', ...(options.execArgv ?? [])],
    });
    process.once('exit', () => child.kill());
    const { url } = await heard(child, 'ready');
    const connected = await connectLocal(home, 'bench');
    if (!connected.ok) throw new Error(connected.error.message);
    const { project_id } = await connected.value.client.projects.add({ path: project });
    const database = join(home, 'projects', project_id, 'project.db');
    return new MeasuredCore(child, { url, projectId: project_id, projectFolder: project, database }, connected.value);
  }

  /** What it has measured since it was asked last. */
  async figures(): Promise<CoreFigures> {
    const answer = heard(this.#process, 'figures');
    this.#process.send({ type: 'figures' } satisfies ToCore);
    return (await answer).figures;
  }

  async close(): Promise<void> {
    this.#connection.close();
    if (this.#process.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.disconnect();
    await exited;
  }
}

async function heard<T extends FromCore['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<FromCore, { type: T }>> {
  const over = new AbortController();
  const { signal } = over;
  const told = once(child, 'message', { signal }) as Promise<[FromCore]>;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the core ended with status ${String(code)}`);
  });
  ended.catch(() => undefined);
  const [message] = await Promise.race([told, ended]).finally(() => over.abort());
  if (message.type !== type) throw new Error(`the core said ${message.type}, not ${type}`);
  return message as Extract<FromCore, { type: T }>;
}
