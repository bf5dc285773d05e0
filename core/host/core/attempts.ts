import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../kit/clock.ts';
import type { Random } from '../../kit/random.ts';
import { decideConnected, decideExited, decideReconnected } from '../../delegation/decide-attempt.ts';
import type { Assignment, CoreFrame, KeyHold, WorkerEvent } from '../../protocol/frames.ts';
import type { ProcessName } from '../../protocol/report.ts';
import type { AttemptRecord } from '../../registry/store/records.ts';
import type { AttemptExit, WorkerEvents, WorkerPool } from '../../workers/contract.ts';
import type { Flush } from '../engine/flush.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { KeyHolds } from '../../providers/retry/key-holds.ts';

/** An attempt that has not ended, with where its run lives. */
interface LiveAttempt {
  record: AttemptRecord;
  readonly engine: ProjectEngine;
  readonly conversation_id: string;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The attempts of this core: between the pool of workers, which knows no runs, and the engines, which know no processes. */
export class Attempts implements WorkerEvents {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #home: string;
  readonly #redact: (text: string) => string;
  readonly #live = new Map<string, LiveAttempt>();
  /** Rows and start tokens of attempts whose start is not ordered yet. */
  readonly #fresh = new Map<string, { record: AttemptRecord; token: string }>();
  readonly #byRun = new Map<string, string>();
  /** Rows of attempts that have ended and whose runs are being closed, by run. */
  readonly #closing = new Map<string, AttemptRecord>();
  #pool: WorkerPool | null = null;
  readonly #onExit = new Set<() => void>();
  readonly #watches = new Set<{ readonly runs: ReadonlySet<string>; readonly ended: ProcessName[] }>();
  /** Keys that providers have asked to wait on (R8). */
  readonly holds: KeyHolds;

  constructor(deps: {
    readonly clock: Clock;
    readonly random: Random;
    readonly home: string;
    /** Takes known secrets out of a command line, before it is stored (D7). */
    redact(text: string): string;
  }) {
    this.#redact = deps.redact;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#home = deps.home;
    this.holds = new KeyHolds(deps.clock);
  }

  /** Gives the pool; before that nothing can start. */
  use(pool: WorkerPool): void {
    this.#pool = pool;
  }

  get pool(): WorkerPool {
    if (this.#pool === null) throw new Error('The pool of workers is not there yet.');
    return this.#pool;
  }

  /** Attempts that have not ended. */
  get size(): number {
    return this.#live.size;
  }

  /** Attempts at work, without those whose runs wait for their user, or for the end of a pause: nothing comes of them by itself. */
  get atWork(): number {
    return [...this.#live.values()].filter(({ engine, conversation_id, record }) => {
      const run = engine.loaded(conversation_id)?.runs.get(record.run_id);
      return run?.state !== 'waiting' || (run.reason !== 'user' && run.reason !== 'paused');
    }).length;
  }

  /** Attempts of an engine's runs that have not ended. */
  of(engine: ProjectEngine): string[] {
    return [...this.#live.values()].flatMap((live) => (live.engine === engine ? live.record.attempt_id : []));
  }

  /** Private folder of an attempt. */
  folder(projectId: string, attemptId: string): string {
    return join(this.#home, 'projects', projectId, 'attempts', attemptId);
  }

  /** Row of an attempt that a decision just began; its start token stays in memory until the start is ordered. */
  fresh(runId: string, attemptId: string, n: number, at: number): AttemptRecord {
    const token = this.#random.hex(64);
    const record: AttemptRecord = {
      attempt_id: attemptId,
      run_id: runId,
      n,
      state: 'started',
      started_at: at,
      ended_at: null,
      token_hash: sha256(token),
      secret_hash: null,
      pid: null,
      pid_started: null,
      committed_seq: 0,
    };
    this.#fresh.set(attemptId, { record, token });
    return record;
  }

  /** Registers a committed attempt and gives its start token, once. */
  begin(engine: ProjectEngine, conversationId: string, attemptId: string): string | null {
    const fresh = this.#fresh.get(attemptId);
    if (fresh === undefined) return null;
    this.#fresh.delete(attemptId);
    this.#add({ record: fresh.record, engine, conversation_id: conversationId });
    return fresh.token;
  }

  /** The start of an attempt is not ordered after all. */
  cancel(attemptId: string): void {
    const attempt = this.#live.get(attemptId);
    if (attempt === undefined) return;
    this.#live.delete(attemptId);
    this.#byRun.delete(attempt.record.run_id);
    attempt.engine.attempt({ ...attempt.record, state: 'ended', ended_at: this.#clock.now() });
    for (const told of this.#onExit) told();
  }

  /** Waits for the worker of an attempt that an earlier core began. */
  adopt(engine: ProjectEngine, conversationId: string, record: AttemptRecord, assignment: Assignment | null): void {
    this.#add({ record, engine, conversation_id: conversationId });
    this.pool.adopt({
      run_id: record.run_id,
      attempt_id: record.attempt_id,
      secret_hash: record.secret_hash,
      token_hash: record.token_hash,
      pid: record.pid,
      pid_started: record.pid_started,
      committed: record.committed_seq,
      folder: this.folder(engine.projectId, record.attempt_id),
      assignment,
    });
  }

  /** Notes which processes below the workers of these runs end with them, until the function it answers is called; that tells them (C3). */
  watchEnds(runIds: readonly string[]): () => readonly ProcessName[] {
    const watch = { runs: new Set(runIds), ended: [] };
    this.#watches.add(watch);
    return () => {
      this.#watches.delete(watch);
      return watch.ended;
    };
  }

  #add(attempt: LiveAttempt): void {
    this.#live.set(attempt.record.attempt_id, attempt);
    this.#byRun.set(attempt.record.run_id, attempt.record.attempt_id);
  }

  /** The live attempt of a run. */
  ofRun(runId: string): string | null {
    return this.#byRun.get(runId) ?? null;
  }

  send(runId: string, frame: CoreFrame): void {
    const attempt = this.#byRun.get(runId);
    if (attempt !== undefined) this.pool.send(attempt, frame);
  }

  connected({ attempt_id, pid, pid_started, secret }: Parameters<WorkerEvents['connected']>[0]): void {
    const attempt = this.#live.get(attempt_id);
    if (attempt === undefined) return this.pool.revoke(attempt_id);
    attempt.record = { ...attempt.record, state: 'connected', pid, pid_started, secret_hash: sha256(secret) };
    const { record, engine } = attempt;
    void engine.fact(attempt.conversation_id, (step, flush) => {
      flush.attempts.set(attempt_id, record);
      decideConnected(step, record.run_id, attempt_id, pid);
    });
  }

  reconnected({ attempt_id, open_calls, open_asks }: Parameters<WorkerEvents['reconnected']>[0]): void {
    const attempt = this.#live.get(attempt_id);
    if (attempt === undefined) return this.pool.revoke(attempt_id);
    void attempt.engine.fact(attempt.conversation_id, (step) =>
      decideReconnected(step, attempt.record.run_id, open_calls, open_asks),
    );
  }

  event(attempt_id: string, seq: number, event: WorkerEvent): void {
    const attempt = this.#live.get(attempt_id);
    if (attempt === undefined) return;
    const { engine, conversation_id, record } = attempt;
    if (event.type === 'hold') this.#share(attempt_id, event);
    engine.event({ attempt_id, seq, event, conversation_id, run_id: record.run_id });
  }

  /** Runs on one key are held together, whichever of them was told (R8). */
  #share(by: string, told: KeyHold): void {
    const { key_id, until } = told;
    if (!this.holds.hold(key_id, until)) return;
    for (const id of this.#live.keys()) if (id !== by) this.pool.send(id, { type: 'hold', key_id, until });
  }

  exited(exit: AttemptExit): void {
    const attempt = this.#live.get(exit.attempt_id);
    if (attempt === undefined) return;
    const { engine, conversation_id, record } = attempt;
    this.#live.delete(exit.attempt_id);
    if (this.#byRun.get(record.run_id) === exit.attempt_id) this.#byRun.delete(record.run_id);
    const named = (processes: readonly ProcessName[]): ProcessName[] =>
      processes.map((each) => ({ ...each, command: this.#redact(each.command) }));
    const below = named(exit.ended.filter(({ pid }) => pid !== record.pid));
    const facts = { ...exit, survivors: named(exit.survivors), left: below };
    for (const { runs, ended: told } of this.#watches) if (runs.has(record.run_id)) told.push(...below);
    const ended: AttemptRecord = { ...record, state: 'ended', ended_at: this.#clock.now() };
    void engine
      .fact(conversation_id, (step, flush) => {
        engine.transcripts.closeRun(record.run_id);
        decideExited(step, record.run_id, facts);
        // Open until its run has ended: a core that goes before that leaves the rest to the next one.
        if (step.tree.facts.get(record.run_id)?.closing == null) flush.attempts.set(exit.attempt_id, ended);
        else this.#closing.set(record.run_id, ended);
      })
      .then(() => {
        for (const told of this.#onExit) told();
      });
  }

  /** The run of an ended attempt was closed: its row ends with the run. */
  closed(runId: string, flush: Flush): void {
    const ended = this.#closing.get(runId);
    if (ended !== undefined) flush.attempts.set(ended.attempt_id, ended);
  }

  /** The run has ended. */
  forget(runId: string): void {
    this.#closing.delete(runId);
  }

  /** Resolves when no attempt is live any more, or none of an engine's. */
  async drained(engine: ProjectEngine | null = null): Promise<void> {
    while (engine === null ? this.#live.size > 0 : this.of(engine).length > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onExit.add(resolve);
      await promise;
      this.#onExit.delete(resolve);
    }
  }
}
