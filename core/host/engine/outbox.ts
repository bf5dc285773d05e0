import type { Effect } from '../../delegation/effects.ts';
import { readOutbox } from '../../registry/store/read-rows.ts';
import type { OutboxRecord } from '../../registry/store/records.ts';
import type { ReadDb } from '../../registry/writers/db.ts';
import type { Flush } from './flush.ts';

/** Effects that are written down with their decision, because nothing else in the rows would bring them back. */
const WRITTEN_DOWN: ReadonlySet<Effect['type']> = new Set([
  'start_attempt',
  'take_up_call',
  'write_summary',
  'finish_change',
]);

// Longer than any effect takes; a core that is alive renews nothing, its boot id tells that the lease is its own.
const LEASE_MS = 60_000;

function keyOf(effect: Effect): string {
  if (effect.type === 'take_up_call') return `${effect.run_id}/${effect.call_id}`;
  return effect.run_id;
}

/** The outbox of one project: what is to happen after a commit is committed with it (D3). */
export class Outbox {
  readonly #boot: string;
  readonly #onDone: () => void;
  #next = 1;
  readonly #ids = new Map<Effect, number>();
  #done: number[] = [];
  /** What an earlier core left undone. One core holds the data folder's lock, so whoever leased it is gone (D2). */
  #left: readonly OutboxRecord[] = [];

  /** `onDone` asks for a transaction that takes the done ones out. */
  constructor(db: ReadDb, boot: string, onDone: () => void) {
    this.#boot = boot;
    this.#onDone = onDone;
    this.#read(db);
  }

  get left(): readonly OutboxRecord[] {
    return this.#left;
  }

  /** The database is another one: what was known of the former one's effects is void. */
  restart(db: ReadDb): void {
    this.#ids.clear();
    this.#done = [];
    this.#read(db);
  }

  #read(db: ReadDb): void {
    this.#left = readOutbox(db);
    this.#next = (this.#left.at(-1)?.effect_id ?? 0) + 1;
  }

  /** Something was done that the database does not know yet. */
  get isPending(): boolean {
    return this.#done.length > 0;
  }

  /** Puts the effects of a flush, and what was done since the last one, into its transaction. */
  take(flush: Flush): void {
    for (const { effect } of flush.effects) {
      if (!WRITTEN_DOWN.has(effect.type)) continue;
      const effect_id = this.#next++;
      this.#ids.set(effect, effect_id);
      flush.outboxAdded.push({
        effect_id,
        type: effect.type,
        key: keyOf(effect),
        body: effect,
        lease: this.#boot,
        leased_until: flush.at + LEASE_MS,
      });
    }
    flush.outboxDone.push(...this.#done.splice(0));
  }

  /** The transaction failed: its effects are decided again, what was done is still to be taken out. */
  putBack(flush: Flush): void {
    for (const { effect } of flush.effects) this.#ids.delete(effect);
    this.#done.unshift(...flush.outboxDone);
  }

  /** The effect has been carried out. */
  done(effect: Effect): void {
    const id = this.#ids.get(effect);
    if (id === undefined) return;
    this.#ids.delete(effect);
    this.#done.push(id);
    this.#onDone();
  }

  /** A record of an earlier core has been carried out, or must not be. */
  settle(record: OutboxRecord): void {
    this.#done.push(record.effect_id);
    this.#onDone();
  }
}
