import type { Clock } from '../kit/clock.ts';
import type { Entry } from '../protocol/entry.ts';
import type { Change, FeedMessage, Scope, Snapshot } from '../protocol/feed.ts';
import type { RunRow } from '../protocol/rows.ts';
import { NO_TOKENS } from '../protocol/token-sums.ts';
import { emptySnapshot } from '../host/core/snapshots.ts';
import type { RoutedChange } from '../host/engine/flush.ts';
import { FeedHub } from '../host/live/feed-hub.ts';

export const APP: Scope = { type: 'app' };
export const CONVERSATION: Scope = { type: 'conversation', conversation_id: 'conv_1' };
export const TRANSCRIPT: Scope = { type: 'transcript', run_id: 'run_1' };

class ManualClock implements Clock {
  time = 0;
  now = (): number => this.time;
  monotonic = (): number => this.time;
  after = (): (() => void) => () => undefined;
  every = (): (() => void) => () => undefined;
}

export function runRow(id: string, changed: Partial<RunRow> = {}): RunRow {
  const row = { run_id: id, conversation_id: 'conv_1', goal: 'g', state: 'running', reason: null, seen: false };
  return { ...row, summary: null, tokens: NO_TOKENS, failure_line: null, ...changed } as RunRow;
}

export function entry(number: number, text: string, run_id = 'run_1'): Entry {
  return { run_id, entry: number, at: 0, meta: { type: 'text', partial: false }, text, ended: false };
}

export const routed = (change: Change, run_id: string | null = null, conversation_id = 'conv_1'): RoutedChange => ({
  conversation_id,
  run_id,
  change,
});
export const ofRun = (row: RunRow): RoutedChange => routed({ type: 'run', row }, row.run_id, row.conversation_id);
export const ofEntry = (one: Entry): RoutedChange => routed({ type: 'entry', entry: one }, one.run_id);
const delta = (number: number, offset: number, text: string): RoutedChange =>
  routed({ type: 'delta', run_id: 'run_1', entry: number, offset, text }, 'run_1');

/** What the core has, with the changes that lead there. */
export class Server {
  readonly runs = new Map<string, RunRow>();
  readonly entries = new Map<number, Entry>();
  readonly clock = new ManualClock();
  snapshots = 0;
  #ids = 0;
  readonly hub = new FeedHub({
    clock: this.clock,
    boot: 'boot_1',
    random: { hex: () => String((this.#ids += 1)), fraction: () => 0 },
    snapshot: (scope) => this.snapshot(scope),
  });

  async snapshot(scope: Scope): Promise<Snapshot> {
    this.snapshots += 1;
    await Promise.resolve();
    const all = [...this.runs.values()];
    return {
      ...emptySnapshot(scope),
      runs: scope.type === 'conversation' ? all : scope.type === 'app' ? all.filter((run) => run.failure_line) : [],
      entries: scope.type === 'transcript' ? [...this.entries.values()] : [],
      entry_count: this.entries.size,
    };
  }

  put(row: RunRow): void {
    this.runs.set(row.run_id, row);
    this.hub.publish([ofRun(row)]);
  }

  append(number: number, text: string): void {
    const before = this.entries.get(number);
    const after = entry(number, (before?.text ?? '') + text);
    this.entries.set(number, after);
    this.hub.publish([before === undefined ? ofEntry(after) : delta(number, before.text.length, text)]);
  }

  end(number: number): void {
    this.hub.publish([routed({ type: 'entry_end', run_id: 'run_1', entry: number }, 'run_1')]);
  }
}

/** A client as the page is one: snapshots replace, rows are put by id, texts grow at their offset. */
class Client {
  readonly runs = new Map<string, RunRow>();
  readonly entries = new Map<number, Entry>();
  readonly messages: FeedMessage[] = [];
  subscription = '';
  rev = 0;

  apply(message: FeedMessage): void {
    this.messages.push(message);
    this.rev = Math.max(this.rev, message.rev);
    if (message.type === 'hello') this.subscription = message.subscription_id;
    else if (message.type === 'snapshot') this.#replace(message.snapshot);
    else for (const change of message.changes) this.#change(change);
  }

  #replace({ scope, runs, entries }: Snapshot): void {
    if (scope.type === 'conversation') this.runs.clear();
    for (const run of runs) this.runs.set(run.run_id, run);
    if (scope.type !== 'transcript') return;
    this.entries.clear();
    for (const one of entries) this.entries.set(one.entry, one);
  }

  #change(change: Change): void {
    if (change.type === 'run') this.runs.set(change.row.run_id, change.row);
    if (change.type === 'entry') this.entries.set(change.entry.entry, change.entry);
    const open = change.type === 'entry_end' ? this.entries.get(change.entry) : undefined;
    if (open !== undefined) this.entries.set(open.entry, { ...open, ended: true });
    if (change.type !== 'delta') return;
    const known = this.entries.get(change.entry);
    if (known === undefined || change.offset > known.text.length) throw new Error('a gap in the text');
    if (change.offset + change.text.length <= known.text.length) return;
    this.entries.set(change.entry, { ...known, text: known.text.slice(0, change.offset) + change.text });
  }
}

type Feed = AsyncGenerator<FeedMessage, undefined, undefined>;

/** Takes what the feed has to say now, up to `most` messages; a `next` that waits stays under way for the next drain. */
class Drain {
  readonly #feed: Feed;
  readonly #client: Client;
  #next: Promise<unknown> | null = null;
  #arrived: FeedMessage | null = null;

  constructor(feed: Feed, client: Client) {
    this.#feed = feed;
    this.#client = client;
  }

  async now(most = Infinity): Promise<void> {
    for (let taken = 0; taken < most; taken += 1) {
      this.#next ??= this.#feed.next().then(({ value }) => (this.#arrived = value ?? null));
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#arrived === null) return;
      this.#client.apply(this.#arrived);
      this.#arrived = null;
      this.#next = null;
    }
  }
}

export async function connected(
  server: Server,
  scopes: readonly Scope[],
): Promise<{ client: Client; drain: Drain; feed: Feed }> {
  const client = new Client();
  const feed = server.hub.subscribe({ client: 'test', can_answer: false, scopes });
  const drain = new Drain(feed, client);
  await drain.now();
  server.hub.ack(client.subscription, client.rev);
  return { client, drain, feed };
}
