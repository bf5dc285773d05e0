import type { Clock } from '../../kit/clock.ts';
import {
  MAX_UNACKNOWLEDGED_BYTES,
  SLOW_CLIENT_MS,
  type FeedMessage,
  type Scope,
  type Snapshot,
} from '../../protocol/feed.ts';
import { PendingChanges } from './pending-changes.ts';
import { isInScope, scopeKey, type PublishedChange } from './routing.ts';

/** A message is not larger than this if it can be helped, so that a client never applies much in one go. */
const MESSAGE_BYTES = 128 * 1024;
/** What may wait for a client that takes nothing, before a snapshot is cheaper. */
const MAX_PENDING_BYTES = 1024 * 1024;

/** What a subscription needs of its hub. */
export interface SubscriptionDeps {
  readonly id: string;
  readonly clock: Clock;
  readonly boot: string;
  /** The revision as of now. */
  rev(): number;
  snapshot(scope: Scope): Promise<Snapshot> | Snapshot;
  ended(): void;
}

/** Roughly what a row weighs beside its long texts. */
const ROW_BYTES = 1000;

/** What a snapshot weighs, roughly: to make its JSON only to count it would hold up the loop twice. */
function weighSnapshot({ projects, conversations, sets, runs, asks, steers, entries }: Snapshot): number {
  const rows = 1 + projects.length + conversations.length + sets.length + runs.length + asks.length + steers.length;
  let bytes = (rows + entries.length) * ROW_BYTES;
  for (const run of runs) bytes += run.goal.length + (run.summary?.length ?? 0);
  for (const ask of asks) bytes += ask.detail.length + (ask.diff?.length ?? 0);
  for (const entry of entries) bytes += entry.text.length;
  return bytes;
}

interface Watched {
  readonly scope: Scope;
  /** Nothing of it is queued: a snapshot follows. */
  stale: boolean;
}

interface Sent {
  readonly rev: number;
  readonly bytes: number;
  /** Monotonic ms. */
  readonly at: number;
}

/**
 * One client's line of the feed. Bounded by itself, since no transport is: at most 256 kB and one message are under way
 * unacknowledged; what waits behind them is kept as latest states, and after a second is dropped for snapshots.
 */
export class Subscription implements AsyncGenerator<FeedMessage, undefined, undefined> {
  readonly #deps: SubscriptionDeps;
  readonly #scopes = new Map<string, Watched>();
  readonly #pending = new PendingChanges();
  #sent: Sent[] = [];
  #sentBytes = 0;
  #greeted = false;
  #ended = false;
  #wake = Promise.withResolvers<undefined>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: SubscriptionDeps, scopes: readonly Scope[]) {
    this.#deps = deps;
    this.setScopes(scopes);
  }

  /** Bytes held for the client: under way and waiting. */
  get heldBytes(): number {
    return this.#sentBytes + this.#pending.bytes;
  }

  /** Changes what is told; a scope that is new is answered with a snapshot. */
  setScopes(scopes: readonly Scope[]): void {
    const wanted = new Set(scopes.map(scopeKey));
    const left = [...this.#scopes.keys()].filter((key) => !wanted.has(key));
    for (const key of left) this.#scopes.delete(key);
    if (left.length > 0) this.#pending.keep((published) => this.#isWatched(published));
    for (const scope of scopes) {
      const key = scopeKey(scope);
      if (!this.#scopes.has(key)) this.#scopes.set(key, { scope, stale: true });
    }
    this.#signal();
  }

  /** Takes in what one commit changed. */
  offer(changes: readonly PublishedChange[], rev: number): void {
    let joins = true;
    for (const published of changes) {
      // Also what left the scope, if its earlier state still waits: it must not arrive after newer news.
      if (!this.#isWatched(published) && !this.#pending.has(published.routed.change)) continue;
      joins = this.#pending.add(published, rev) && joins;
    }
    if (!joins || this.#pending.bytes > MAX_PENDING_BYTES || this.#isSlow()) this.#dropForSnapshots();
    this.#signal();
  }

  /** Every scope is answered with a snapshot once more. */
  refresh(): void {
    this.#dropForSnapshots();
    this.#signal();
  }

  /** The client has applied everything up to `rev`. */
  ack(rev: number): void {
    this.#sent = this.#sent.filter((message) => message.rev > rev);
    this.#sentBytes = this.#sent.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#signal();
  }

  #isWatched(published: PublishedChange): boolean {
    for (const { scope, stale } of this.#scopes.values()) if (!stale && isInScope(scope, published)) return true;
    return false;
  }

  #isSlow(): boolean {
    const oldest = this.#sent[0];
    if (oldest === undefined || this.#pending.isEmpty || this.#fits(this.#pending.firstBytes)) return false;
    return this.#deps.clock.monotonic() - oldest.at > SLOW_CLIENT_MS;
  }

  #dropForSnapshots(): void {
    this.#pending.clear();
    for (const watched of this.#scopes.values()) watched.stale = true;
  }

  #fits(bytes: number): boolean {
    return this.#sentBytes === 0 || this.#sentBytes + bytes <= MAX_UNACKNOWLEDGED_BYTES;
  }

  #signal(): void {
    this.#wake.resolve(undefined);
  }

  next(): Promise<IteratorResult<FeedMessage, undefined>> {
    const turn = this.#turn.then(() => this.#next());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #next(): Promise<IteratorResult<FeedMessage, undefined>> {
    while (!this.#ended) {
      this.#wake = Promise.withResolvers<undefined>();
      const message = await this.#makeOrEnd();
      if (this.#ended) break;
      if (message !== null) return { value: message, done: false };
      await this.#wake.promise;
    }
    return { value: undefined, done: true };
  }

  /** A snapshot that cannot be made ends the feed; who consumes it sees why, and subscribes again. */
  async #makeOrEnd(): Promise<FeedMessage | null> {
    try {
      return await this.#make();
    } catch (error) {
      if (this.#ended) return null;
      await this.return();
      throw error;
    }
  }

  async #make(): Promise<FeedMessage | null> {
    const { id, boot, rev } = this.#deps;
    if (!this.#greeted) {
      this.#greeted = true;
      return { type: 'hello', subscription_id: id, boot, rev: rev() };
    }
    return (await this.#makeSnapshot()) ?? this.#makeChanges();
  }

  /** A snapshot's size is known only when it is made; it may begin while there is any room. */
  async #makeSnapshot(): Promise<FeedMessage | null> {
    while (this.#sentBytes < MAX_UNACKNOWLEDGED_BYTES && !this.#ended) {
      const found = [...this.#scopes].find(([, { stale }]) => stale);
      if (found === undefined) return null;
      const [key, watched] = found;
      // From here on changes are queued again: those that the snapshot already has are harmless, being whole.
      watched.stale = false;
      const rev = this.#deps.rev();
      const snapshot = await this.#deps.snapshot(watched.scope);
      if (this.#scopes.get(key) !== watched || watched.stale) continue;
      return this.#record({ type: 'snapshot', rev, snapshot }, weighSnapshot(snapshot));
    }
    return null;
  }

  #makeChanges(): FeedMessage | null {
    if (this.#pending.isEmpty || !this.#fits(this.#pending.firstBytes)) return null;
    const room = Math.min(MESSAGE_BYTES, MAX_UNACKNOWLEDGED_BYTES - this.#sentBytes);
    const { changes, bytes, rev } = this.#pending.take(room);
    return this.#record({ type: 'changes', rev, changes }, bytes);
  }

  #record(message: FeedMessage, bytes: number): FeedMessage {
    this.#sent.push({ rev: message.rev, bytes, at: this.#deps.clock.monotonic() });
    this.#sentBytes += bytes;
    return message;
  }

  /** Ends the subscription, also while a `next` waits. */
  return(): Promise<IteratorResult<FeedMessage, undefined>> {
    if (!this.#ended) {
      this.#ended = true;
      this.#pending.clear();
      this.#sent = [];
      this.#sentBytes = 0;
      this.#deps.ended();
      this.#signal();
    }
    return Promise.resolve({ value: undefined, done: true });
  }

  async throw(error: unknown): Promise<IteratorResult<FeedMessage, undefined>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
