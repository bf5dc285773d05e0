import { ID_HEX } from '../protocol/ids.ts';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decideConnected, decideExited, decidePlace, type ExitFacts } from '../delegation/decide-attempt.ts';
import { decideDispatch } from '../delegation/decide-dispatch.ts';
import { decideStop } from '../delegation/decide-stop.ts';
import type { Effect } from '../delegation/effects.ts';
import type { ConversationTree } from '../delegation/tree.ts';
import type { RoutedChange } from '../host/engine/flush.ts';
import { ProjectEngine } from '../host/engine/project-engine.ts';
import { systemClock, type Clock } from '../kit/clock.ts';
import { silentLogger, type Logger } from '../kit/logger.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Task } from '../protocol/batch.ts';
import type { DispatchAnswer } from '../protocol/api/dispatch.ts';
import type { ApiError } from '../protocol/errors.ts';
import type { WorkerEvent } from '../protocol/frames.ts';
import type { RunReport } from '../protocol/report.ts';
import { Limits } from '../protocol/settings.ts';
import { loadMigrations } from '../registry/migrate/migrations.ts';
import { createReader } from '../registry/reader/reader.ts';
import type { WriteDb } from '../registry/writers/db.ts';
import type { WriterHandle } from '../registry/writers/handle.ts';
import { createWriterRegistry, type WriterRegistry } from '../registry/writers/registry.ts';
import { storageError, type StorageError, type StorageErrorCode } from '../registry/writers/storage-error.ts';
import { testBatch, testConversation, testReport } from './delegation.ts';

const MIGRATIONS = loadMigrations(join(import.meta.dirname, '..', '..', 'migrations', 'project'));
const CONVERSATION = testConversation();

const TEXT = { type: 'text', partial: false } as const;

/** An event that opens a text entry. */
export function entry(number: number, text = ''): WorkerEvent {
  return { type: 'entry', entry: number, at: 5, meta: TEXT, text };
}

export function delta(number: number, offset: number, text: string): WorkerEvent {
  return { type: 'delta', entry: number, offset, text };
}

export function end(number: number, text: string | null = null): WorkerEvent {
  return { type: 'entry_end', entry: number, meta: null, text };
}

/** The worker's last word. */
export function ended(change: Partial<RunReport> = {}): WorkerEvent {
  return { type: 'ended', last_seq: 1, report: testReport(change), session: null };
}

/** A copy of the tree but for what only a living core knows. */
export function storedPart({ memory: _, ...tree }: ConversationTree): unknown {
  return structuredClone(tree);
}

interface LabOptions {
  readonly clock?: Clock;
  readonly rowsInMemory?: number;
}

/** A folder with one project database, and the engines that one core after the other has on it. */
export class EngineLab {
  readonly folder = mkdtempSync(join(tmpdir(), 'espalier-engine-'));
  readonly path = join(this.folder, 'project.db');
  readonly conversation = CONVERSATION.conversation_id;
  readonly #registry: WriterRegistry;
  readonly #cores: LabCore[] = [];
  #ids = 0;

  constructor() {
    this.#registry = createWriterRegistry({
      clock: systemClock,
      logger: silentLogger,
      migrationsFor: () => MIGRATIONS,
    });
  }

  /** A core's engine on the database. Several are as if the earlier ones had been killed. */
  async core(options: LabOptions = {}): Promise<LabCore> {
    const opened = await this.#registry.acquire(this.path);
    if (!opened.ok) throw new Error(opened.error.message);
    const core = new LabCore(this, opened.value, `boot-${this.#cores.length + 1}`, options);
    this.#cores.push(core);
    return core;
  }

  /** Writes what a newer build might have written. */
  async asNewer(write: (db: WriteDb) => void): Promise<void> {
    const opened = await this.#registry.acquire(this.path);
    if (!opened.ok) throw new Error(opened.error.message);
    await opened.value.write(write);
    await opened.value.close();
  }

  /** The file that is in the place of the database now; null when there is none. */
  async reopen(): Promise<Awaited<ReturnType<WriterRegistry['acquire']>> | null> {
    return existsSync(this.path) ? this.#registry.acquire(this.path) : null;
  }

  /** A copy of the database as it is committed now; its path. */
  async backup(): Promise<string> {
    const destination = join(this.folder, 'backup.db');
    const reader = createReader(systemClock);
    const made = await reader.backup(this.path, destination);
    await reader.close();
    if (!made.ok) throw new Error(made.error.message);
    return destination;
  }

  newId(prefix: string, hex: number): string {
    return `${prefix}_${(++this.#ids).toString(16).padStart(hex, '0')}`;
  }

  async close(): Promise<void> {
    for (const core of this.#cores) await core.engine.close();
    await this.#registry.drainAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** An engine with everything that it tells its core, in order. */
export class LabCore {
  readonly engine: ProjectEngine;
  readonly conversation = CONVERSATION.conversation_id;
  /** The conversation's row before anything has happened in it. */
  readonly firstRow = CONVERSATION;
  readonly published: RoutedChange[][] = [];
  readonly acknowledged: { readonly attempt_id: string; readonly seq: number }[] = [];
  readonly effects: { readonly effect: Effect; readonly done: () => void }[] = [];
  readonly troubles: (StorageErrorCode | null)[] = [];
  readonly logged: string[] = [];
  /** How often the file was found to be another one. */
  replaced = 0;
  /** Transactions that were begun, and statements that wrote in them. */
  transactions = 0;
  statements = 0;
  /** Workers that connected here; they go on telling also when nothing can be read. */
  readonly #lastAttempts = new Map<string, string>();
  readonly #seqs = new Map<string, number>();
  #failures: StorageErrorCode[] = [];

  constructor(lab: EngineLab, writer: WriterHandle, boot: string, options: LabOptions) {
    const { clock = systemClock, rowsInMemory = 5000 } = options;
    const logger: Logger = { ...silentLogger, error: (_, message) => this.logged.push(message) };
    this.engine = new ProjectEngine('proj_000000000001', this.#failing(writer), {
      clock,
      logger,
      boot,
      context: () => ({
        newId: (prefix) => lab.newId(prefix, ID_HEX[prefix]),
        limits: Limits.parse({}),
        agents: new Map([['general', { id: 'general', runner: 'builtin', source: 'builtin', description: '' }]]),
        paused: false,
        toolNames: [],
        priceOf: () => null,
        summaryPath: (_projectId, runId) => `/nowhere/${runId}.md`,
        day: '2026-07-31',
        today: () => ({ spent: { cost_usd: 0, unknown: false, tokens: 0 }, held: { cost_usd: 0, tokens: 0 } }),
      }),
      publish: (changes) => void this.published.push([...changes]),
      perform: (_, __, effect, done) => void this.effects.push({ effect, done }),
      newAttempt: (run_id, attempt_id, n, at) => ({
        attempt_id,
        run_id,
        n,
        state: 'started',
        started_at: at,
        ended_at: null,
        token_hash: 'hash',
        secret_hash: null,
        pid: null,
        pid_started: null,
        committed_seq: 0,
      }),
      acknowledge: (attempt_id, seq) => void this.acknowledged.push({ attempt_id, seq }),
      storage: (_, error: StorageError | null) => void this.troubles.push(error?.code ?? null),
      reopen: () => lab.reopen(),
      replaced: () => void (this.replaced += 1),
      rowsInMemory,
    });
  }

  /** The next transactions fail with these codes, one each. */
  failWith(...codes: StorageErrorCode[]): void {
    this.#failures = codes;
  }

  #failing(writer: WriterHandle): WriterHandle {
    return {
      path: writer.path,
      generation: writer.generation,
      db: writer.db,
      read: (read) => writer.read(read),
      close: () => writer.close(),
      write: (tx, options) => {
        const code = this.#failures.shift();
        this.transactions += 1;
        return code === undefined
          ? writer.write((db) => tx(this.#counted(db)), options)
          : Promise.resolve(err(storageError(code, writer.path)));
      },
    };
  }

  #counted(db: WriteDb): WriteDb {
    const run: WriteDb['run'] = (sql, ...params) => {
      this.statements += 1;
      return db.run(sql, ...params);
    };
    return { ...db, run };
  }

  get tree(): ConversationTree {
    const tree = this.engine.tree(this.conversation);
    if (tree === null) throw new Error('no conversation');
    return tree;
  }

  dispatch(
    tasks: number | readonly Partial<Task>[],
    token = `token-${Math.random()}`,
    create = CONVERSATION,
  ): Promise<Result<DispatchAnswer, ApiError>> {
    return this.engine.command(
      create.conversation_id,
      (step) => ok(decideDispatch(step, CONVERSATION.project_id, testBatch(tasks), { type: 'user' })),
      { token, create },
    );
  }

  /** A conversation with a set of so many tasks that were stopped before they began; answers the ids of their runs. */
  async stopped(conversationId: string, tasks: number): Promise<readonly string[]> {
    const answer = await this.dispatch(tasks, undefined, testConversation(conversationId));
    const runs = answer.ok ? answer.value.run_ids : [];
    await this.engine.fact(conversationId, (step) => void decideStop(step, runs));
    return runs;
  }

  /** A set of one task whose worker is connected; answers the run's id. */
  async running(): Promise<string> {
    const answer = await this.dispatch(1);
    const runId = answer.ok ? (answer.value.run_ids[0] ?? '') : '';
    await this.start(runId);
    return runId;
  }

  /** Gives the run a place and lets the worker of its attempt connect; answers the attempt's id. */
  async start(runId: string): Promise<string> {
    await this.engine.fact(this.conversation, (step) => decidePlace(step, runId));
    const attempt = this.attemptOf(runId);
    this.#lastAttempts.set(runId, attempt);
    await this.engine.fact(this.conversation, (step) => decideConnected(step, runId, attempt, 4711));
    return attempt;
  }

  attemptOf(runId: string): string {
    const attempt = this.tree.facts.get(runId)?.attempt_id;
    if (attempt == null) throw new Error(`no attempt of ${runId}`);
    return attempt;
  }

  /** Events of the run's worker, numbered. */
  tell(runId: string, ...events: WorkerEvent[]): void {
    const attempt_id = this.#lastAttempts.get(runId) ?? this.attemptOf(runId);
    for (const event of events) {
      const seq = (this.#seqs.get(attempt_id) ?? 0) + 1;
      this.#seqs.set(attempt_id, seq);
      this.engine.event({ conversation_id: this.conversation, run_id: runId, attempt_id, seq, event });
    }
  }

  async exit(runId: string, change: Partial<ExitFacts> = {}): Promise<void> {
    const attempt_id = this.attemptOf(runId);
    const row = this.engine.db.get<{ n: number }>('SELECT n FROM attempts WHERE attempt_id = ?', attempt_id);
    await this.engine.fact(this.conversation, (step, flush) => {
      flush.attempts.set(attempt_id, {
        attempt_id,
        run_id: runId,
        n: row?.n ?? 1,
        state: 'ended',
        started_at: 0,
        ended_at: 1,
        token_hash: 'hash',
        secret_hash: null,
        pid: null,
        pid_started: null,
        committed_seq: 0,
      });
      this.engine.transcripts.closeRun(runId);
      decideExited(step, runId, {
        attempt_id,
        connected: true,
        active: true,
        exit: { code: 0, signal: null },
        proof: { method: 'observed', how: 'test' },
        survivors: [],
        stderr_tail: '',
        ...change,
      });
    });
  }

  /** Rows that a query finds. */
  rows<T>(sql: string, ...params: (string | number)[]): T[] {
    return this.engine.db.all<T>(sql, ...params);
  }

  count(table: 'events' | 'runs' | 'sets' | 'receipts' | 'entries' | 'chunks' | 'outbox' | 'conversations'): number {
    return this.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n ?? 0;
  }
}
