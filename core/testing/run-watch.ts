import type { OwnedCore } from '../host/core/host-core.ts';
import type { FeedHub } from '../host/live/feed-hub.ts';
import type { FeedMessage } from '../protocol/feed.ts';
import { holdsPlace } from '../protocol/lifecycle.ts';
import type { RunRow } from '../protocol/rows.ts';

/** Watches the runs of one conversation as a client does, from its first row on; dispose it before its core is closed. */
export class RunWatch implements AsyncDisposable {
  readonly rows = new Map<string, RunRow>();
  /** Runs in the order in which they left the queue. */
  readonly started: string[] = [];
  /** Runs in the order in which they were seen to end. */
  readonly ended: string[] = [];
  /** The most runs that were seen to hold a place at once (R1). */
  mostAtWork = 0;
  readonly #waiting = new Map<() => boolean, () => void>();
  readonly #hub: FeedHub;
  readonly #feed: AsyncGenerator<FeedMessage, undefined, undefined>;
  readonly #done: Promise<void>;

  constructor({ hub }: Pick<OwnedCore, 'hub'>, conversation_id: string) {
    this.#hub = hub;
    const scopes = [{ type: 'conversation' as const, conversation_id }];
    this.#feed = hub.subscribe({ client: 'watch', can_answer: false, scopes });
    this.#done = this.#follow();
  }

  /** Resolves as soon as the rows are as wanted. */
  until(wanted: (rows: readonly RunRow[]) => boolean): Promise<void> {
    const holds = (): boolean => wanted([...this.rows.values()]);
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(holds, resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#feed.return(undefined);
    await this.#done;
  }

  async #follow(): Promise<void> {
    let subscription = '';
    for await (const message of this.#feed) {
      if (message.type === 'hello') subscription = message.subscription_id;
      else this.#take(message);
      this.#hub.ack(subscription, message.rev);
    }
  }

  #take(message: Exclude<FeedMessage, { type: 'hello' }>): void {
    const runs =
      message.type === 'snapshot'
        ? message.snapshot.runs
        : message.changes.flatMap((change) => (change.type === 'run' ? [change.row] : []));
    for (const row of runs) {
      const before = this.rows.get(row.run_id)?.state ?? 'queued';
      this.rows.set(row.run_id, row);
      if (before === 'queued' && row.state !== 'queued' && row.started_at !== null) this.started.push(row.run_id);
      if (before !== 'ended' && row.state === 'ended') this.ended.push(row.run_id);
    }
    const atWork = [...this.rows.values()].filter(({ state, reason }) => holdsPlace(state, reason)).length;
    this.mostAtWork = Math.max(this.mostAtWork, atWork);
    for (const [holds, resolve] of [...this.#waiting]) {
      if (!holds()) continue;
      this.#waiting.delete(holds);
      resolve();
    }
  }
}
