import type { Clock } from '../../kit/clock.ts';
import type { Random } from '../../kit/random.ts';
import type { FeedMessage, Scope, Snapshot } from '../../protocol/feed.ts';
import type { RoutedChange } from '../engine/flush.ts';
import { needsAttention, type PublishedChange } from './routing.ts';
import { Subscription } from './subscription.ts';

/** What the hub needs of the core. */
export interface FeedHubDeps {
  readonly clock: Clock;
  /** Changes with every start of the core; revisions belong to it. */
  readonly boot: string;
  readonly random: Random;
  /** Everything of a scope as of now; of something unknown an empty one. */
  snapshot(scope: Scope): Promise<Snapshot> | Snapshot;
}

/** Who wants to be told, and of what. */
export interface SubscribeOptions {
  /** The client's name, as others see it. */
  readonly client: string;
  /** A person sits at it who can answer asks (A1). */
  readonly can_answer: boolean;
  readonly scopes: readonly Scope[];
}

/** Who hears of everything in this process, without a subscription. */
export interface HubListener {
  /** What one commit changed. */
  published(changes: readonly RoutedChange[]): void;
  /** What was told before may not hold any more. */
  refreshed(): void;
}

interface Line {
  readonly subscription: Subscription;
  readonly canAnswer: boolean;
}

/** Tells subscribed clients what was committed, each as far as it asked and as fast as it can take it. */
export class FeedHub {
  readonly #deps: FeedHubDeps;
  readonly #lines = new Map<string, Line>();
  /** Runs that needed attention at their last publish, with their conversation. */
  readonly #attention = new Map<string, string>();
  readonly #answerListeners = new Set<(canAnswer: boolean) => void>();
  readonly #listeners = new Set<HubListener>();
  #rev = 0;
  #answering = 0;

  constructor(deps: FeedHubDeps) {
    this.#deps = deps;
  }

  /** Counts the commits of this boot. */
  get rev(): number {
    return this.#rev;
  }

  get boot(): string {
    return this.#deps.boot;
  }

  /** Number of open subscriptions. */
  get subscriptions(): number {
    return this.#lines.size;
  }

  /** Bytes held for all clients together. */
  get heldBytes(): number {
    let bytes = 0;
    for (const { subscription } of this.#lines.values()) bytes += subscription.heldBytes;
    return bytes;
  }

  /** Whether a client is subscribed at which a person can answer asks. */
  get canAnswer(): boolean {
    return this.#answering > 0;
  }

  /** Calls `listener` whenever `canAnswer` changes, until the function it answers is called. */
  onCanAnswerChange(listener: (canAnswer: boolean) => void): () => void {
    this.#answerListeners.add(listener);
    return () => this.#answerListeners.delete(listener);
  }

  /** Has `listener` hear of everything, until the function it answers is called. It must not throw. */
  listen(listener: HubListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells what one commit changed; called once per commit, in order. */
  publish(changes: readonly RoutedChange[]): void {
    this.#rev += 1;
    const published = changes.map((routed) => this.#mark(routed));
    for (const { subscription } of this.#lines.values()) subscription.offer(published, this.#rev);
    for (const listener of this.#listeners) listener.published(changes);
  }

  /** Everybody is sent all that they watch anew: what they were told does not hold any more (D6). */
  refresh(): void {
    this.#rev += 1;
    for (const { subscription } of this.#lines.values()) subscription.refresh();
    for (const listener of this.#listeners) listener.refreshed();
  }

  #mark(routed: RoutedChange): PublishedChange {
    const { change } = routed;
    if (change.type === 'removed' && change.what === 'conversation') {
      for (const [run, conversation] of this.#attention) if (conversation === change.id) this.#attention.delete(run);
    }
    if (change.type !== 'run') return { routed, attention: false };
    const { run_id, conversation_id } = change.row;
    const before = this.#attention.delete(run_id);
    const now = needsAttention(change.row);
    if (now) this.#attention.set(run_id, conversation_id);
    return { routed, attention: now || before };
  }

  /**
   * Opens a subscription: hello, a snapshot of each scope, then changes. It ends by `return` (a `for await` that is left),
   * or when `signal` is aborted. The client acknowledges with {@link ack}; without that it is told at most 256 kB.
   */
  subscribe(options: SubscribeOptions, signal?: AbortSignal): AsyncGenerator<FeedMessage, undefined, undefined> {
    const id = `sub_${this.#deps.random.hex(12)}`;
    const subscription = new Subscription(
      {
        id,
        clock: this.#deps.clock,
        boot: this.#deps.boot,
        rev: () => this.#rev,
        snapshot: (scope) => this.snapshot(scope),
        ended: () => this.#drop(id),
      },
      options.scopes,
    );
    this.#lines.set(id, { subscription, canAnswer: options.can_answer });
    if (options.can_answer) this.#countAnswering(1);
    const end = (): void => void subscription.return();
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
    return subscription;
  }

  /** Everything of a scope as it is now. */
  async snapshot(scope: Scope): Promise<Snapshot> {
    const snapshot = await this.#deps.snapshot(scope);
    // Who is told of a run must also be told when it stops needing attention.
    if (scope.type === 'app') {
      for (const row of snapshot.runs) if (needsAttention(row)) this.#attention.set(row.run_id, row.conversation_id);
    }
    return snapshot;
  }

  #drop(id: string): void {
    const line = this.#lines.get(id);
    if (line === undefined) return;
    this.#lines.delete(id);
    if (line.canAnswer) this.#countAnswering(-1);
  }

  #countAnswering(by: 1 | -1): void {
    const before = this.canAnswer;
    this.#answering += by;
    if (this.canAnswer !== before) for (const listener of this.#answerListeners) listener(this.canAnswer);
  }

  /** Changes what a subscription is told of; false when there is no such subscription. */
  setScopes(subscriptionId: string, scopes: readonly Scope[]): boolean {
    const line = this.#lines.get(subscriptionId);
    line?.subscription.setScopes(scopes);
    return line !== undefined;
  }

  /** Says up to which revision a client has applied the changes; false when there is no such subscription. */
  ack(subscriptionId: string, rev: number): boolean {
    const line = this.#lines.get(subscriptionId);
    line?.subscription.ack(rev);
    return line !== undefined;
  }

  /** Ends all subscriptions; their clients see the end of the feed. */
  close(): void {
    for (const { subscription } of [...this.#lines.values()]) void subscription.return();
  }
}
