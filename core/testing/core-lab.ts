import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BatchInput, TaskInput } from '../protocol/batch.ts';
import type { DispatchAnswer } from '../protocol/api/dispatch.ts';
import type { ApiError } from '../protocol/errors.ts';
import type { DomainEvent } from '../protocol/events.ts';
import type { ResultEntry, SetResult } from '../protocol/result-entry.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { CoreOptions } from '../host/core/core-options.ts';
import { hostCore, type OwnedCore } from '../host/core/host-core.ts';
import type { CoreService } from '../host/service.ts';
import { systemClock } from '../kit/clock.ts';
import { hostProcesses } from '../kit/process-tree/host-processes.ts';
import { isRunning } from '../kit/process-tree/process-entry.ts';
import { silentLogger } from '../kit/logger.ts';
import { systemRandom } from '../kit/random.ts';
import type { Result } from '../kit/result.ts';
import { loadMigrations } from '../registry/migrate/migrations.ts';
import { openReading } from '../registry/reader/open-reading.ts';
import { GitFixture } from '../workspace/worktrees/git-fixture.ts';
import { until } from './process-trees.ts';

const PACKAGE = join(import.meta.dirname, '..', '..');
const CALLER = { client: 'test' };

/** A task as a test writes it; a text is a shell line for the agent `command`. */
export type LabTask = string | (Partial<TaskInput> & { readonly goal: string });

/**
 * A whole core in this process, with real workers from source, on a data folder and a git project of its own. One core after the other may have the
 * folder; dispose it after the test.
 */
export class CoreLab implements AsyncDisposable {
  readonly git: GitFixture;
  #core: OwnedCore | null = null;
  #project: string | null = null;
  #tokens = 0;

  constructor(git: GitFixture = GitFixture.withCommit()) {
    this.git = git;
  }

  static async open(git?: GitFixture, more: Partial<CoreOptions> = {}): Promise<CoreLab> {
    const lab = new CoreLab(git);
    await lab.host(more);
    return lab;
  }

  /** Makes this process the core of the data folder; an earlier one must be closed. */
  async host(more: Partial<CoreOptions> = {}): Promise<void> {
    const hosted = await hostCore({
      home: this.git.data,
      version: '0.0.0',
      clock: systemClock,
      random: systemRandom,
      logger: silentLogger,
      packageRoot: PACKAGE,
      workerEntry: join(PACKAGE, 'core', 'host', 'child.ts'),
      environment: { ...this.git.environment, NODE_NO_WARNINGS: '1' },
      unattendedMs: 0,
      warmWorkers: 0,
      ...more,
    });
    if (!hosted.ok) throw new Error(hosted.error.message);
    this.#core = hosted.value;
  }

  /** The core goes, its workers stay, unless everything is to end. */
  async leave(options: { readonly endAll?: boolean } = {}): Promise<void> {
    await this.#core?.close(options);
    this.#core = null;
  }

  /**
   * Dispatches in a core of its own process, which can be killed; answers what it said, and how to kill it. This lab has no core meanwhile.
   * `what` is done with the worktree of the first run when that has ended.
   */
  async dispatchElsewhere(tasks: readonly LabTask[], environment: object = {}, what?: Change): Promise<Elsewhere> {
    const change = what === undefined ? {} : { change: { what } };
    const { said, kill } = await this.#elsewhere({ batch: batchOf(tasks, {}), ...change }, environment);
    return { answer: JSON.parse(said) as DispatchAnswer, kill };
  }

  /** Does something with the worktree of an ended run in such a core; answers how to kill it. */
  async changeElsewhere(run_id: string, what: Change, environment: object): Promise<Pick<Elsewhere, 'kill'>> {
    return this.#elsewhere({ change: { what, run_id } }, environment);
  }

  async #elsewhere(orders: object, environment: object): Promise<{ said: string; kill: () => Promise<void> }> {
    const input = {
      home: this.git.data,
      project: this.git.project,
      environment: { ...this.git.environment, NODE_NO_WARNINGS: '1', ...environment },
      ...orders,
    };
    const entry = fileURLToPath(new URL('./killable-core.ts', import.meta.url));
    const child = spawn(process.execPath, [entry, JSON.stringify(input)], { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const [said] = (await once(createInterface(child.stdout), 'line')) as [string];
    return {
      said,
      kill: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    };
  }

  /** How often something of that type was stored of a run. */
  async count(type: DomainEvent['type'], runId: string): Promise<number> {
    const path = join(this.git.data, 'projects', await this.project(), 'project.db');
    const opened = openReading(path, loadMigrations(join(PACKAGE, 'migrations', 'project')));
    if (!opened.ok || opened.value === null) throw new Error('the database of the project cannot be read');
    const sql = "SELECT count(*) AS n FROM events WHERE type = ? AND json_extract(body, '$.run_id') = ?";
    const found = opened.value.db.get<{ n: number }>(sql, type, runId);
    opened.value.close();
    return found?.n ?? 0;
  }

  get core(): OwnedCore {
    if (this.#core === null) throw new Error('no core is up');
    return this.#core;
  }

  get service(): CoreService {
    return this.core.service;
  }

  /** Writes `settings.json`; before the core is hosted. */
  settings(value: object): void {
    writeFileSync(join(this.git.data, 'settings.json'), JSON.stringify({ version: 1, ...value }));
  }

  /** The attached project. */
  async project(): Promise<string> {
    if (this.#project !== null) return this.#project;
    const added = value(await this.service.projects.add({ path: this.git.project }, CALLER));
    this.#project = added.project_id;
    return added.project_id;
  }

  /** Dispatches tasks of the agent `command` in worktrees, unless they say otherwise. */
  async dispatch(tasks: readonly LabTask[], more: Omit<Partial<BatchInput>, 'tasks'> = {}): Promise<DispatchAnswer> {
    const batch = batchOf(tasks, more);
    const client_token = `token-${String((this.#tokens += 1))}-${systemRandom.hex(8)}`;
    const project_id = await this.project();
    return value(
      await this.service.batches.dispatch({ project_id, conversation_id: null, batch, client_token }, CALLER),
    );
  }

  /** The result of a set, once it has ended. */
  async ended({ delegation_id }: Pick<DispatchAnswer, 'delegation_id'>, limitMs = 60_000): Promise<SetResult> {
    const result = async (): Promise<SetResult | null> =>
      value(await this.service.sets.show({ id: delegation_id }, CALLER)).result;
    await until('the end of the set', async () => (await result()) !== null, limitMs);
    return (await result()) as SetResult;
  }

  /** The only result of a set of one task, once it has ended. */
  async result(answer: DispatchAnswer): Promise<ResultEntry> {
    const [entry] = (await this.ended(answer)).results;
    if (entry === undefined) throw new Error('the set has no result');
    return entry;
  }

  /** Runs one task to its end. */
  async run(task: LabTask, more: Omit<Partial<BatchInput>, 'tasks'> = {}): Promise<ResultEntry> {
    return this.result(await this.dispatch([task], more));
  }

  async row(runId: string): Promise<RunRow> {
    return value(await this.service.runs.show({ id: runId }, CALLER)).run;
  }

  /** Waits until the row of a run is as wanted, and answers it. */
  async rowWhen(runId: string, what: string, wanted: (row: RunRow) => boolean): Promise<RunRow> {
    await until(what, async () => wanted(await this.row(runId)), 60_000);
    return this.row(runId);
  }

  stop(id: string): Promise<unknown> {
    return this.service.runs.stop({ id }, CALLER).then(value);
  }

  /** What the API says of a run's changes, and does with its worktree. */
  get changes(): { readonly [Name in keyof CoreService['changes']]: (input: Input<Name>) => Answer<Name> } {
    const { changes } = this.service;
    return {
      show: (input) => changes.show(input, CALLER),
      apply: (input) => changes.apply(input, CALLER),
      keep: (input) => changes.keep(input, CALLER),
      discard: (input) => changes.discard(input, CALLER),
      undo: (input) => changes.undo(input, CALLER),
    };
  }

  /** Text of a file, or null when there is none. */
  read(path: string): string | null {
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#core?.close({ endAll: true });
    this.git.remove();
  }
}

type Change = 'apply' | 'keep' | 'discard';

/** A core of its own process with a set at work. */
export interface Elsewhere {
  readonly answer: DispatchAnswer;
  /** Resolves when it is gone; its workers stay. */
  kill(): Promise<void>;
}

function batchOf(tasks: readonly LabTask[], { defaults, ...head }: Omit<Partial<BatchInput>, 'tasks'>): object {
  return {
    ...head,
    defaults: { agent: 'command', isolation: 'worktree', permission: 'auto', ...defaults },
    tasks: tasks.map((task) => (typeof task === 'string' ? { goal: task } : task)),
  };
}

type Input<Name extends keyof CoreService['changes']> = Parameters<CoreService['changes'][Name]>[0];
type Answer<Name extends keyof CoreService['changes']> = ReturnType<CoreService['changes'][Name]>;

/** The value of an answer that must be one. */
export function value<T>(result: Result<T, ApiError>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** Whether a process runs; one that has ended and that nobody has asked for does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const { entries } = await hostProcesses().list();
  return entries.some((entry) => entry.pid === pid && isRunning(entry));
}
