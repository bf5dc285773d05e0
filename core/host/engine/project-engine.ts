import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { decideCall } from '../../delegation/decide-call.ts';
import { decideWorkerEvent } from '../../delegation/decide-worker-event.ts';
import type { Effect } from '../../delegation/effects.ts';
import { Step, type DecisionContext } from '../../delegation/step.ts';
import { emptyTree, type ConversationTree } from '../../delegation/tree.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import type { WorkerEvent } from '../../protocol/frames.ts';
import type { ConversationRow } from '../../protocol/rows.ts';
import type { AttemptRecord, Grant } from '../../registry/store/records.ts';
import { readConversation, readReceipt } from '../../registry/store/read-rows.ts';
import { writeRows } from '../../registry/store/write-rows.ts';
import type { WriterHandle } from '../../registry/writers/handle.ts';
import type { StorageError } from '../../registry/writers/storage-error.ts';
import { Flush, type RoutedChange } from './flush.ts';
import { Outbox } from './outbox.ts';
import { treeOf } from './stored-tree.ts';
import { isTranscriptEvent, Transcripts } from './transcripts.ts';

/** What the engine of a project needs from its core. */
export interface EngineDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly boot: string;
  /** Everything that decisions may look at, as of now. */
  context(): DecisionContext;
  /** Rows and transcript text that were committed. */
  publish(changes: readonly RoutedChange[]): void;
  /** Effects of a committed decision. `done` says that it need not be taken up again after a crash. */
  perform(engine: ProjectEngine, conversationId: string, effect: Effect, done: () => void): void;
  /** The row of an attempt that a decision just began; its start token stays in memory. */
  newAttempt(runId: string, attemptId: string, n: number): AttemptRecord;
  /** Everything of the attempt up to `seq` is committed. */
  acknowledge(attemptId: string, seq: number): void;
  /** Called when a transaction failed, and with null when one works again. */
  storage(error: StorageError | null): void;
}

interface CommandItem {
  readonly type: 'command';
  run(flush: Flush): void;
  settle(error: ApiError | null): void;
}

interface EventItem {
  readonly type: 'event';
  readonly conversation_id: string;
  readonly run_id: string;
  readonly attempt_id: string;
  readonly seq: number;
  readonly event: WorkerEvent;
}

// DESIGN, Engine: flush 25 ms when quiet; text alone never waits longer, and much of it goes sooner.
const QUIET_FLUSH_MS = 25;
const EAGER_CHARACTERS = 64 * 1024;
const RETRY_AFTER_FAILURE_MS = 500;

/** One command on a conversation. */
export interface CommandOptions {
  /** The client's token: the same command again gets the first answer (S7). */
  readonly token?: string;
  /** Begins the conversation with this row when it does not exist yet. */
  readonly create?: ConversationRow;
}

/**
 * The engine of one project: takes commands and workers' events in, decides on them in order, and writes what was decided
 * in one transaction per flush; then tells clients, acknowledges, and performs effects. Trees in memory run ahead of the
 * database by one flush and are read anew when a transaction fails.
 */
export class ProjectEngine {
  readonly projectId: string;
  readonly #writer: WriterHandle;
  readonly #deps: EngineDeps;
  readonly #trees = new Map<string, ConversationTree>();
  readonly transcripts = new Transcripts();
  readonly outbox: Outbox;
  #queue: (CommandItem | EventItem)[] = [];
  #pending: { conversationId: string; effect: Effect }[] = [];
  #changes: RoutedChange[] = [];
  #flushing: Promise<void> | null = null;
  #cancelTimer: (() => void) | null = null;
  #immediate: NodeJS.Immediate | null = null;
  #failed = false;

  constructor(projectId: string, writer: WriterHandle, deps: EngineDeps) {
    this.projectId = projectId;
    this.#writer = writer;
    this.#deps = deps;
    this.outbox = new Outbox(writer.db, deps.boot);
  }

  /** The conversation's tree as decided so far, or null when it is unknown. */
  tree(conversationId: string): ConversationTree | null {
    const known = this.#trees.get(conversationId);
    if (known !== undefined) return known;
    const stored = readConversation(this.#writer.db, conversationId);
    if (stored === null) return null;
    const tree = treeOf(stored);
    this.#trees.set(conversationId, tree);
    return tree;
  }

  /** Conversations in memory with a run that has not ended. */
  liveConversations(): string[] {
    const isOpen = (tree: ConversationTree): boolean => [...tree.runs.values()].some((run) => !isEnded(run.state));
    return [...this.#trees].filter(([, tree]) => isOpen(tree)).map(([id]) => id);
  }

  /** The conversation's tree if it is in memory. */
  loaded(conversationId: string): ConversationTree | undefined {
    return this.#trees.get(conversationId);
  }

  /** The conversation of a run, set, conversation or ask id among those in memory, or null. */
  conversationOf(id: string): string | null {
    if (this.#trees.has(id)) return id;
    for (const [conversationId, tree] of this.#trees) {
      if (tree.runs.has(id) || tree.sets.has(id) || tree.asks.has(id)) return conversationId;
    }
    return null;
  }

  /** Reads of the project's database between transactions. */
  get db(): WriterHandle['db'] {
    return this.#writer.db;
  }

  /** Drops the memory of a conversation in which nothing is live; it is read again when somebody asks. */
  forget(conversationId: string): void {
    this.#trees.delete(conversationId);
  }

  /** Carries out a command; answers after its commit. A refusal changes nothing and is a value. */
  command<T>(
    conversationId: string,
    decide: (step: Step, flush: Flush) => Result<T, ApiError>,
    options: CommandOptions = {},
  ): Promise<Result<T, ApiError>> {
    return new Promise((resolve) => {
      let answer: Result<T, ApiError> = err({ code: 'internal', message: 'The command was not decided.' });
      this.#queue.push({
        type: 'command',
        run: (flush) => {
          answer = this.#decideCommand(conversationId, decide, options, flush);
        },
        settle: (error) => resolve(error === null ? answer : err(error)),
      });
      this.#schedule(true);
    });
  }

  #decideCommand<T>(
    conversationId: string,
    decide: (step: Step, flush: Flush) => Result<T, ApiError>,
    options: CommandOptions,
    flush: Flush,
  ): Result<T, ApiError> {
    if (options.token !== undefined) {
      const before = readReceipt(this.#writer.db, options.token) ?? this.#freshReceipt(flush, options.token);
      if (before !== undefined) return ok(before as T);
    }
    const tree = this.#treeFor(conversationId, options.create);
    if (tree === null) return err({ code: 'not_found', message: `There is no conversation ${conversationId}.` });
    const step = new Step(tree, this.#deps.context());
    if (options.create !== undefined && tree.conversation === options.create) {
      step.emit({ type: 'conversation_created', v: 1, row: options.create });
    }
    const decided = decide(step, flush);
    this.#take(step, flush);
    if (decided.ok && options.token !== undefined) {
      flush.receipts.push({ client_token: options.token, answer: decided.value });
    }
    flush.full = true;
    return decided;
  }

  #freshReceipt(flush: Flush, token: string): unknown {
    return flush.receipts.find((receipt) => receipt.client_token === token)?.answer;
  }

  #treeFor(conversationId: string, create: ConversationRow | undefined): ConversationTree | null {
    const known = this.tree(conversationId);
    if (known !== null || create === undefined) return known;
    const tree = emptyTree(create);
    this.#trees.set(conversationId, tree);
    return tree;
  }

  /** Takes in a worker's event, each once and in order. */
  event(item: Omit<EventItem, 'type'>): void {
    this.#queue.push({ type: 'event', ...item });
    const text = isTranscriptEvent(item.event) || item.event.type === 'activity';
    this.#schedule(!text || this.transcripts.pendingCharacters > EAGER_CHARACTERS);
  }

  /** Writes the row of an attempt with the next flush. */
  readonly #attempts = new Map<string, AttemptRecord>();
  attempt(record: AttemptRecord): void {
    this.#attempts.set(record.attempt_id, record);
    this.#schedule(true);
  }

  /** Stores consent with the next flush. */
  readonly #grants: Grant[] = [];
  grant(grant: Grant): void {
    this.#grants.push(grant);
  }

  /** Resolves when everything taken in so far is committed or has failed. */
  async settled(): Promise<void> {
    while (this.#queue.length > 0 || this.#flushing !== null || this.transcripts.isPending) {
      await (this.#flushing ?? this.#flush());
    }
  }

  /** Finishes all writes and gives the database up. */
  async close(): Promise<void> {
    await this.settled();
    this.#cancelTimer?.();
    await this.#writer.close();
  }

  #schedule(now: boolean): void {
    if (this.#flushing !== null || this.#failed) return;
    if (now) {
      this.#immediate ??= setImmediate(() => void this.#flush());
    } else this.#cancelTimer ??= this.#deps.clock.after(QUIET_FLUSH_MS, () => void this.#flush());
  }

  #flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
    this.#flushing ??= this.#flushOnce().finally(() => {
      this.#flushing = null;
      if (this.#queue.length > 0 || this.#attempts.size > 0) this.#schedule(!this.#failed);
    });
    return this.#flushing;
  }

  async #flushOnce(): Promise<void> {
    const items = this.#queue;
    this.#queue = [];
    const flush = new Flush(this.#deps.clock.now());
    for (const item of items) this.#decide(item, flush);
    for (const [id, record] of this.#attempts) flush.attempts.set(id, record);
    this.#attempts.clear();
    flush.grants.push(...this.#grants.splice(0));
    const effects = this.#pending.splice(0);
    this.outbox.take(effects, flush);
    const text = this.transcripts.take();
    if (flush.isEmpty && text.writes.length === 0) return this.#finish(items, null);
    const write = { ...flush.write(), entries: text.writes };
    const durability = flush.full ? 'full' : 'normal';
    const written = await this.#writer.write((db) => writeRows(db, write), { durability });
    if (!written.ok) return this.#undo(items, flush, text.writes, written.error);
    text.committed();
    if (this.#failed) this.#deps.storage(null);
    this.#failed = false;
    this.#tell(flush, text.changes);
    for (const [attempt, seq] of flush.committed) this.#deps.acknowledge(attempt, seq);
    this.#finish(items, null);
    for (const { conversationId, effect } of effects) {
      this.#deps.perform(this, conversationId, effect, () => this.outbox.done(effect, () => this.#schedule(false)));
    }
  }

  #tell(flush: Flush, text: ReturnType<Transcripts['take']>['changes']): void {
    const of = (runId: string): string => this.#conversationOf.get(runId) ?? '';
    const changes = text.map(({ run_id, change }) => ({ conversation_id: of(run_id), run_id, change }));
    this.#deps.publish([...flush.changes(), ...this.#changes.splice(0), ...changes]);
  }

  readonly #conversationOf = new Map<string, string>();

  #decide(item: CommandItem | EventItem, flush: Flush): void {
    if (item.type === 'command') return item.run(flush);
    const { event, run_id, attempt_id, seq, conversation_id } = item;
    flush.committed.set(attempt_id, Math.max(seq, flush.committed.get(attempt_id) ?? 0));
    this.#conversationOf.set(run_id, conversation_id);
    if (isTranscriptEvent(event)) return this.transcripts.apply(run_id, event);
    const tree = this.tree(conversation_id);
    if (tree === null) return;
    const step = new Step(tree, this.#deps.context());
    if (event.type === 'call') decideCall(step, run_id, event.call_id, event.tool, event.arguments);
    else decideWorkerEvent(step, run_id, event);
    // A run is shown ended only after its last entry is stored (T7): what is open closes with the same flush.
    if (event.type === 'ended') this.transcripts.closeRun(run_id);
    this.#take(step, flush);
  }

  #take(step: Step, flush: Flush): void {
    flush.add(step);
    const conversationId = step.tree.conversation.conversation_id;
    for (const effect of step.effects) {
      this.#pending.push({ conversationId, effect });
      if (effect.type !== 'start_attempt') continue;
      const n = step.tree.runs.get(effect.run_id)?.attempts ?? 1;
      flush.attempts.set(effect.attempt_id, this.#deps.newAttempt(effect.run_id, effect.attempt_id, n));
    }
  }

  #finish(items: readonly (CommandItem | EventItem)[], error: ApiError | null): void {
    for (const item of items) if (item.type === 'command') item.settle(error);
  }

  /** A transaction failed: memory goes back to what is stored, commands are refused, events are taken in again. */
  #undo(
    items: readonly (CommandItem | EventItem)[],
    flush: Flush,
    entries: Parameters<Transcripts['restore']>[0],
    error: StorageError,
  ): void {
    for (const id of flush.conversations) this.#trees.delete(id);
    this.transcripts.restore(entries);
    for (const [id, record] of flush.attempts) if (!this.#attempts.has(id)) this.#attempts.set(id, record);
    this.#grants.unshift(...flush.grants);
    this.#queue = [...items.filter((item) => item.type === 'event'), ...this.#queue];
    this.#failed = true;
    this.#deps.logger.error({ code: error.code, project: this.projectId }, 'a transaction failed');
    this.#deps.storage(error);
    this.#finish(items, { code: 'storage', message: error.message });
    this.#deps.clock.after(RETRY_AFTER_FAILURE_MS, () => {
      this.#failed = false;
      this.#schedule(true);
    });
  }
}
