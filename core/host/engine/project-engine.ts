import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Effect } from '../../delegation/effects.ts';
import type { ConversationTree } from '../../delegation/tree.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { AttemptRecord, Grant } from '../../registry/store/records.ts';
import { writeRows } from '../../registry/store/write-rows.ts';
import type { WriterHandle } from '../../registry/writers/handle.ts';
import type { StorageError } from '../../registry/writers/storage-error.ts';
import { writeHeader } from '../../registry/writers/write-header.ts';
import type { DayFigures } from '../../delegation/budget.ts';
import { DayLedger } from './day-ledger.ts';
import { Decisions, type CommandOptions, type Decide, type DecisionDeps } from './decisions.ts';
import { Eraser } from './eraser.ts';
import { Flush, type RoutedChange } from './flush.ts';
import {
  faultOf,
  isQuiet,
  settle,
  SHUTTING_DOWN,
  withoutContent,
  type EventItem,
  type Item,
  type Work,
} from './items.ts';
import { Outbox } from './outbox.ts';
import { StorageLink, UnreadableStorage, type Reopen } from './storage-link.ts';
import { Transcripts, type TakenText } from './transcripts.ts';
import { Trees } from './trees.ts';

/** What the engine of a project needs from its core. */
export interface EngineDeps extends DecisionDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly boot: string;
  /** Rows and transcript text that were committed. */
  publish(changes: readonly RoutedChange[]): void;
  /** Effects of a committed decision. `done` says that it need not be taken up again after a crash. */
  perform(engine: ProjectEngine, conversationId: string, effect: Effect, done: () => void): void;
  /** Everything of the attempt up to `seq` is committed. */
  acknowledge(attemptId: string, seq: number): void;
  /** Called when a transaction on the database at `path` failed, and with null when one works again. */
  storage(path: string, error: StorageError | null): void;
  /** Opens the file that is now in the place of one that was replaced (D6). */
  reopen(projectId: string): ReturnType<Reopen>;
  /** The database is another one than before: what is at work does not belong to it. */
  replaced(engine: ProjectEngine): void;
  /** With more rows in memory, conversations at rest are let go of. */
  readonly rowsInMemory: number;
}

// DESIGN, Engine: flush 25 ms when quiet, up to 100 ms under load; much text goes sooner.
const QUIET_FLUSH_MS = 25;
const BUSY_FLUSH_MS = 100;

/** Text waits so many times as long as the last flush took: then flushes leave the most of the loop's time to all else. */
const REST_PER_WORK = 4;

const EAGER_CHARACTERS = 64 * 1024;
const RETRY_AFTER_FAILURE_MS = 500;

/**
 * The engine of one project: takes commands and workers' events in, decides on them in order, and writes what was decided
 * in one transaction per flush; then tells clients, acknowledges, and performs effects. Trees in memory run ahead of the
 * database by one flush and are read anew when a transaction fails.
 */
export class ProjectEngine {
  readonly projectId: string;
  readonly #storage: StorageLink;
  readonly #deps: EngineDeps;
  readonly #trees: Trees;
  readonly #days: DayLedger;
  readonly #eraser: Eraser;
  readonly #decisions: Decisions;
  readonly transcripts = new Transcripts();
  readonly outbox: Outbox;
  #queue: Item[] = [];
  #queuedText = 0;
  #quietFlushMs = QUIET_FLUSH_MS;
  #flushing: Promise<boolean> | null = null;
  #cancelTimer: CancelTimer | null = null;
  #immediate: NodeJS.Immediate | null = null;
  #cancelRetry: CancelTimer | null = null;
  #isFailing = false;
  #isClosed = false;
  /** So many items are written each for itself, because one of them cannot be. */
  #alone = 0;

  constructor(projectId: string, writer: WriterHandle, deps: EngineDeps) {
    this.projectId = projectId;
    this.#storage = new StorageLink(writer, () => deps.reopen(projectId));
    this.#deps = deps;
    this.#trees = new Trees(this.#storage, () => this.#schedule(false), deps.rowsInMemory);
    this.#decisions = new Decisions(projectId, this.#trees, this.transcripts, deps);
    this.#days = new DayLedger(this.#trees);
    this.#eraser = new Eraser(this.#storage, deps);
    this.#eraser.wake();
    this.outbox = new Outbox(this.#storage.db, deps.boot, () => this.#schedule(false));
  }

  /** The conversation's tree as decided so far, or null when it is unknown. Throws when the database cannot be read. */
  tree(conversationId: string): ConversationTree | null {
    return this.#trees.get(conversationId);
  }

  /** Conversations in memory with a run that has not ended. */
  liveConversations(): string[] {
    return this.#trees.live();
  }

  /** The conversation's tree if it is in memory. */
  loaded(conversationId: string): ConversationTree | undefined {
    return this.#trees.loaded(conversationId);
  }

  /** What the project has used on a day, and what its runs hold (R5). Throws when the database cannot be read. */
  dayFigures(day: string): DayFigures {
    return this.#days.figures(day);
  }

  /** The conversation of a run, set, conversation or ask id among those in memory, or null. */
  conversationOf(id: string): string | null {
    return this.#trees.homeOf(id);
  }

  /** Reads of the project's database between transactions; they throw `UnreadableStorage`. */
  get db(): StorageLink['db'] {
    return this.#storage.db;
  }

  /** Carries out a command; answers after its commit. A refusal changes nothing and is a value. */
  command<T>(
    conversationId: string,
    decide: Decide<Result<T, ApiError>>,
    options: CommandOptions = {},
  ): Promise<Result<T, ApiError>> {
    return new Promise((resolve) => {
      let answer: Result<T, ApiError> = err({ code: 'internal', message: 'The command was not decided.' });
      this.#push({
        type: 'command',
        conversation_id: conversationId,
        run: (flush) => {
          answer = this.#decisions.command(conversationId, decide, options, flush);
        },
        settle: (error) => resolve(error === null ? answer : err(error)),
      });
    });
  }

  /**
   * Takes in something that has happened: it is decided again until it is stored, in its order among the events, and never refused. Resolves
   * after its commit. `decide` may run more than once, each time on what is stored.
   */
  fact(conversationId: string, decide: Decide<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#push({
        type: 'fact',
        conversation_id: conversationId,
        run: (flush) => this.#decisions.fact(conversationId, decide, flush),
        settle: () => resolve(),
      });
    });
  }

  /** Writes the row of an attempt with the next flush. */
  attempt(record: AttemptRecord): void {
    const run = (flush: Flush): void => void flush.attempts.set(record.attempt_id, record);
    this.#push({ type: 'fact', conversation_id: '', run, settle: () => undefined });
  }

  /** Takes consent back; answers after its commit. */
  revoke(grant: Grant): Promise<Result<null, ApiError>> {
    return new Promise((resolve) => {
      const run = (flush: Flush): void => {
        flush.revoked.push(grant);
        flush.full = true;
      };
      const settle = (error: ApiError | null): void => resolve(error === null ? ok(null) : err(error));
      this.#push({ type: 'command', conversation_id: '', run, settle });
    });
  }

  /** Takes in a worker's event, each once and in order. */
  event(item: Omit<EventItem, 'type'>): void {
    if (this.#isClosed) return;
    this.#queue.push({ type: 'event', ...item });
    if ('text' in item.event) this.#queuedText += item.event.text?.length ?? 0;
    this.#schedule(!isQuiet(item.event) || this.#queuedText > EAGER_CHARACTERS);
  }

  /** Resolves when everything taken in so far is committed, or could not be just now. */
  async settled(): Promise<void> {
    while (this.#hasWork || this.#flushing !== null) {
      if (!(await this.#flush())) return;
    }
  }

  /** Finishes all writes and gives the database up. What cannot be stored is not acknowledged: workers send it again. */
  async close(): Promise<void> {
    await this.settled();
    this.#isClosed = true;
    for (const cancel of [this.#cancelTimer, this.#cancelRetry]) cancel?.();
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    for (const item of this.#queue.splice(0)) settle(item, SHUTTING_DOWN);
    await this.#eraser.close();
    await this.#storage.close();
  }

  get #hasWork(): boolean {
    return this.#queue.length > 0 || this.transcripts.isPending || this.outbox.isPending;
  }

  #push(work: Work): void {
    if (this.#isClosed) return work.settle(SHUTTING_DOWN);
    this.#queue.push(work);
    this.#schedule(true);
  }

  #schedule(now: boolean): void {
    if (this.#flushing !== null || this.#cancelRetry !== null || this.#isClosed) return;
    if (now) this.#immediate ??= setImmediate(() => void this.#flush());
    else this.#cancelTimer ??= this.#deps.clock.after(this.#quietFlushMs, () => void this.#flush());
  }

  /** False when what was to be written could not be, and will be tried again. */
  #flush(): Promise<boolean> {
    if (this.#flushing !== null) return this.#flushing;
    for (const cancel of [this.#cancelTimer, this.#cancelRetry]) cancel?.();
    this.#cancelTimer = null;
    this.#cancelRetry = null;
    if (this.#immediate !== null) clearImmediate(this.#immediate);
    this.#immediate = null;
    const began = this.#deps.clock.monotonic();
    this.#flushing = this.#flushOnce().finally(() => {
      this.#flushing = null;
      const rest = REST_PER_WORK * (this.#deps.clock.monotonic() - began);
      this.#quietFlushMs = Math.min(BUSY_FLUSH_MS, Math.max(QUIET_FLUSH_MS, rest));
      if (this.#hasWork) this.#schedule(this.#queue.length > 0);
    });
    return this.#flushing;
  }

  async #flushOnce(): Promise<boolean> {
    const items = this.#alone > 0 ? this.#queue.splice(0, 1) : this.#queue.splice(0);
    this.#alone = Math.max(0, this.#alone - 1);
    this.#queuedText = 0;
    const flush = new Flush(this.#deps.clock.now());
    const gone = await this.#reopen();
    const decided = gone ?? this.#decideAll(items, flush);
    this.outbox.take(flush);
    const text = this.transcripts.take();
    if (decided !== null) return this.#undo(items, flush, text, decided);
    const failure = await this.#write(flush, text);
    if (failure !== null) return this.#undo(items, flush, text, failure);
    text.committed();
    this.#storage.committed(flush);
    this.#trees.stored(flush.touched);
    for (const id of flush.removed) this.#trees.remove(id);
    if (flush.removed.length > 0) {
      this.#days.forgot([]);
      this.#eraser.wake();
    }
    this.#after(items, flush, text);
    return true;
  }

  async #write(flush: Flush, text: TakenText): Promise<Failure | null> {
    // In trouble the disk is asked, also when nothing waits: refused commands are gone, and nobody else would know.
    const nothing = flush.isEmpty && text.writes.length === 0;
    if (nothing && !this.#isFailing) return null;
    const rows = { ...flush.write(), entries: text.writes };
    try {
      const durability = flush.full ? 'full' : 'normal';
      const written = await this.#storage.write((db) => (nothing ? writeHeader(db) : writeRows(db, rows)), {
        durability,
      });
      if (!written.ok) return { type: 'storage', error: written.error };
    } catch (thrown) {
      return { type: 'bug', thrown, item: null };
    }
    return this.#works();
  }

  #works(): null {
    if (this.#isFailing) this.#deps.storage(this.#storage.path, null);
    this.#isFailing = false;
    return null;
  }

  /** A file that was replaced is opened anew, when there is one. What memory has is kept only if that file holds all that was committed. */
  async #reopen(): Promise<Failure | null> {
    if (!this.#storage.isReplaced) return null;
    const opened = await this.#storage.reopen();
    if (!opened.ok) return { type: 'storage', error: opened.error };
    this.#days.forgot(this.#trees.forgetAll());
    if (opened.value.same) return null;
    this.transcripts.restart();
    this.outbox.restart(this.#storage.db);
    this.#deps.replaced(this);
    return null;
  }

  #after(items: readonly Item[], flush: Flush, text: TakenText): void {
    // The text first: a run is shown ended only after its last entry (T7).
    const texts = text.changes.map(({ run_id, change }) => {
      return { conversation_id: this.#trees.homeOf(run_id) ?? '', run_id, change };
    });
    this.#deps.publish([...texts, ...flush.changes()]);
    for (const [attempt, seq] of flush.committed) this.#deps.acknowledge(attempt, seq);
    for (const item of items) settle(item, null);
    for (const { conversation_id, effect } of flush.effects) this.#perform(conversation_id, effect);
    // Now memory holds what is stored and nothing else.
    for (const tree of this.#trees.trim(flush.full)) this.#days.left(tree);
  }

  #perform(conversationId: string, effect: Effect): void {
    try {
      this.#deps.perform(this, conversationId, effect, () => this.outbox.done(effect));
    } catch (thrown) {
      this.#deps.logger.error({ type: effect.type, error: String(thrown) }, 'an effect could not be carried out');
    }
  }

  #decideAll(items: readonly Item[], flush: Flush): Failure | null {
    for (const item of items) {
      try {
        if (item.type === 'event') this.#decisions.event(item, flush);
        else item.run(flush);
      } catch (thrown) {
        // Perhaps half changed, and not part of the flush yet.
        this.#trees.forget(item.conversation_id);
        if (thrown instanceof UnreadableStorage) return { type: 'storage', error: thrown.storage };
        // One damaged conversation must not hold up all others.
        return { type: 'bug', thrown, item };
      }
    }
    return null;
  }

  /** Memory goes back to what is stored; facts and events are decided again. */
  #undo(items: readonly Item[], flush: Flush, text: TakenText, failure: Failure): boolean {
    for (const id of flush.conversations) this.#trees.forget(id);
    this.#days.forgot([...flush.conversations, ...items.map(({ conversation_id }) => conversation_id)]);
    text.failed();
    this.outbox.putBack(flush);
    if (failure.type === 'bug') return this.#isolate(items, failure);
    const { error } = failure;
    this.#queue.unshift(...items.filter((item) => item.type !== 'command'));
    this.#isFailing = true;
    this.#deps.logger.error({ code: error.code, project: this.projectId }, 'a transaction failed');
    this.#deps.storage(this.#storage.path, error);
    for (const item of items) if (item.type === 'command') settle(item, { code: 'storage', message: error.message });
    this.#cancelRetry = this.#deps.clock.after(RETRY_AFTER_FAILURE_MS, () => void this.#flush());
    return false;
  }

  /** A bug in the decision on one item costs that item and nothing else. */
  #isolate(items: readonly Item[], { thrown, item }: Extract<Failure, { type: 'bug' }>): boolean {
    const guilty = item ?? (items.length === 1 ? items[0] : undefined);
    const fields = { project: this.projectId, type: guilty?.type, error: String(thrown) };
    this.#deps.logger.error(fields, 'a decision could not be carried out');
    if (guilty === undefined) this.#alone = items.length;
    this.#queue.unshift(...items.flatMap((other) => (other === guilty ? withoutContent(other) : other)));
    if (guilty !== undefined) settle(guilty, faultOf(thrown));
    return items.length > 0;
  }
}

/** Why a flush came to nothing: storage, or a bug, perhaps known to be in one item. */
type Failure =
  | { readonly type: 'storage'; readonly error: StorageError }
  | { readonly type: 'bug'; readonly thrown: unknown; readonly item: Item | null };
