import type { Change } from '../../protocol/feed.ts';
import type { DomainEvent } from '../../protocol/events.ts';
import type { Effect } from '../../delegation/effects.ts';
import type { Dirty, Step } from '../../delegation/step.ts';
import type { ConversationTree } from '../../delegation/tree.ts';
import type { AttemptRecord, Grant, OutboxRecord, RunRecord, StoreWrite } from '../../registry/store/records.ts';

/** A change with the conversation and run it belongs to, for those who asked to be told of them. */
export interface RoutedChange {
  readonly conversation_id: string;
  readonly run_id: string | null;
  readonly change: Change;
}

interface DirtyTree extends Dirty {
  readonly tree: ConversationTree;
}

/** Gathers what the steps of one flush changed, so that each row is written once however often it changed. */
export class Flush {
  readonly at: number;
  readonly #trees = new Map<string, DirtyTree>();
  readonly events: { conversation_id: string | null; event: DomainEvent }[] = [];
  readonly attempts = new Map<string, AttemptRecord>();
  readonly committed = new Map<string, number>();
  /** Conversations on which something was decided, also when no row of them changes. */
  readonly touched = new Set<string>();
  readonly receipts: { client_token: string; answer: unknown }[] = [];
  readonly grants: Grant[] = [];
  readonly revoked: Grant[] = [];
  readonly removed: string[] = [];
  readonly outboxAdded: OutboxRecord[] = [];
  readonly outboxDone: number[] = [];
  /** What is to happen after the commit, in order. */
  readonly effects: { readonly conversation_id: string; readonly effect: Effect }[] = [];
  /** A command of a client, or the end of a run, is in it: it must survive power loss too. */
  full = false;

  constructor(at: number) {
    this.at = at;
  }

  /** Takes in what a step changed, and what follows from it. */
  add(step: Step): void {
    const { tree } = step;
    const conversation_id = tree.conversation.conversation_id;
    for (const effect of step.effects) this.effects.push({ conversation_id, effect });
    this.touched.add(conversation_id);
    if (step.isEmpty) return;
    const dirty = this.#trees.get(conversation_id) ?? freshDirt(tree);
    this.#trees.set(conversation_id, dirty);
    for (const event of step.events) {
      this.events.push({ conversation_id, event });
      if (event.type === 'run_ended' || event.type === 'set_ended') this.full = true;
    }
    for (const kind of DIRTY_KINDS) {
      for (const key of step.dirty[kind]) dirty[kind].add(key);
    }
  }

  /** Nothing of it need be written. */
  get isEmpty(): boolean {
    const lists = [this.receipts, this.grants, this.revoked, this.removed, this.outboxAdded, this.outboxDone];
    return [this.#trees, this.attempts, this.committed].every(({ size }) => size === 0) && lists.every(isNone);
  }

  /** Conversations that this flush touched. */
  get conversations(): string[] {
    return [...this.#trees.keys()];
  }

  /** The rows of the transaction, without transcripts. */
  write(): Omit<StoreWrite, 'entries'> {
    const trees = [...this.#trees.values()];
    return {
      at: this.at,
      events: this.events,
      conversations: trees.map(({ tree }) => tree.conversation),
      removedConversations: this.removed,
      sets: trees.flatMap(({ tree, sets }) => pick(sets, tree.sets)),
      runs: trees.flatMap(({ tree, runs }) => [...runs].flatMap((id) => runRecord(tree, id))),
      attempts: [...this.attempts.values()],
      committed: this.committed,
      steers: trees.flatMap(({ tree, steers }) => pick(steers, tree.steers)),
      asks: trees.flatMap(({ tree, asks }) => pick(asks, tree.asks)),
      calls: trees.flatMap(({ tree, calls }) => pick(calls, tree.calls)),
      deliveries: trees.flatMap(({ tree, deliveries }) =>
        pick(deliveries, tree.deliveries).map((delivery) => ({
          conversation_id: tree.conversation.conversation_id,
          at: this.at,
          delivery,
        })),
      ),
      ...budgetRows(trees),
      receipts: this.receipts,
      grants: this.grants,
      revoked: this.revoked,
      outboxAdded: this.outboxAdded,
      outboxDone: this.outboxDone,
    };
  }

  /** What clients are told after the commit: rows whole. */
  changes(): RoutedChange[] {
    return [...this.#trees.values()].flatMap(({ tree, runs, sets, steers, asks }) => {
      const conversation_id = tree.conversation.conversation_id;
      const route = (change: Change, run_id: string | null = null): RoutedChange => ({
        conversation_id,
        run_id,
        change,
      });
      return [
        route({ type: 'conversation', row: tree.conversation }),
        ...pick(sets, tree.sets).map((row) => route({ type: 'set', row })),
        ...pick(runs, tree.runs).map((row) => route({ type: 'run', row }, row.run_id)),
        ...pick(asks, tree.asks).map(({ row }) => route({ type: 'ask', row }, row.run_id)),
        ...pick(steers, tree.steers).map((row) => route({ type: 'steer', row }, row.run_id)),
      ];
    });
  }
}

function isNone({ length }: readonly unknown[]): boolean {
  return length === 0;
}

function freshDirt(tree: ConversationTree): DirtyTree {
  return {
    tree,
    runs: new Set(),
    sets: new Set(),
    steers: new Set(),
    asks: new Set(),
    calls: new Set(),
    deliveries: new Set(),
    holds: new Set(),
    usage: new Set(),
  };
}

const DIRTY_KINDS = ['runs', 'sets', 'steers', 'asks', 'calls', 'deliveries', 'holds', 'usage'] as const;

/** What is held and what was used, as it now is (R5). */
function budgetRows(trees: readonly DirtyTree[]): Pick<StoreWrite, 'holds' | 'usage'> {
  return {
    holds: trees.flatMap(({ tree, holds }) =>
      [...holds].map((run_id) => {
        const { conversation_id } = tree.conversation;
        return { run_id, conversation_id, hold: tree.holds.get(run_id) ?? null };
      }),
    ),
    usage: trees.flatMap(({ tree, usage }) =>
      [...usage].flatMap((day) => {
        const used = tree.usage.get(day);
        return used === undefined ? [] : [{ day, conversation_id: tree.conversation.conversation_id, ...used }];
      }),
    ),
  };
}

function pick<T>(keys: ReadonlySet<string>, from: ReadonlyMap<string, T>): T[] {
  return [...keys].flatMap((key) => {
    const found = from.get(key);
    return found === undefined ? [] : [found];
  });
}

function runRecord(tree: ConversationTree, id: string): RunRecord[] {
  const row = tree.runs.get(id);
  const facts = tree.facts.get(id);
  if (row === undefined || facts === undefined) return [];
  const { attempt_id, ...stored } = facts;
  return [{ row, ...stored }];
}
