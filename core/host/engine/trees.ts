import { copyMemory, emptyTree, type ConversationTree, type TreeMemory } from '../../delegation/tree.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import type { ConversationRow } from '../../protocol/rows.ts';
import { readConversation } from '../../registry/store/read-rows.ts';
import type { ReadDb } from '../../registry/writers/db.ts';
import type { StorageLink } from './storage-link.ts';
import { treeOf } from './stored-tree.ts';

/** These stay whatever their size: what is looked at now is not read anew with each look. */
const NEWEST_KEPT = 2;

interface Held {
  readonly tree: ConversationTree;
  /** When it was last asked for, in askings. */
  used: number;
  /** What the tree remembered when it was last stored; null before that. */
  memory: TreeMemory | null;
}

/**
 * The conversations of a project in memory (docs/decisions/0008-conversations-in-memory.md). They run ahead of the database by one transaction, and are read anew when what
 * was decided on them could not be stored. Those at rest are let go of, the least recently used first, when there are many.
 */
export class Trees {
  readonly #storage: Pick<StorageLink, 'read'>;
  readonly #grown: () => void;
  readonly #rowsInMemory: number;
  readonly #held = new Map<string, Held>();
  readonly #homes = new Map<string, string>();
  /** Of conversations that are to be read anew: what the database cannot tell of them. */
  readonly #remembered = new Map<string, TreeMemory>();
  #askings = 0;
  #hasGrown = false;

  /** `grown` is called when one was read: {@link trim} is due. `rowsInMemory`: with more, conversations in which nothing is at work are let go of. */
  constructor(storage: Pick<StorageLink, 'read'>, grown: () => void, rowsInMemory: number) {
    this.#rowsInMemory = rowsInMemory;
    this.#storage = storage;
    this.#grown = grown;
  }

  /** Reads between transactions; throws `UnreadableStorage`. */
  read<T>(read: (db: ReadDb) => T): T {
    return this.#storage.read(read);
  }

  /** The conversation's tree as decided so far, or null when it is unknown. */
  get(conversationId: string): ConversationTree | null {
    const known = this.#held.get(conversationId);
    if (known !== undefined) {
      known.used = ++this.#askings;
      return known.tree;
    }
    const stored = this.read((db) => readConversation(db, conversationId));
    if (stored === null) return null;
    this.#grown();
    const memory = this.#remembered.get(conversationId) ?? null;
    this.#remembered.delete(conversationId);
    return this.#hold(treeOf(stored, memory === null ? null : copyMemory(memory)), memory);
  }

  /** A new conversation, not yet stored. */
  create(row: ConversationRow): ConversationTree {
    return this.#hold(emptyTree(row), null);
  }

  #hold(tree: ConversationTree, memory: TreeMemory | null): ConversationTree {
    this.#held.set(tree.conversation.conversation_id, { tree, used: ++this.#askings, memory });
    this.#hasGrown = true;
    return tree;
  }

  /** All conversations in memory. */
  all(): ConversationTree[] {
    return [...this.#held.values()].map(({ tree }) => tree);
  }

  loaded(conversationId: string): ConversationTree | undefined {
    return this.#held.get(conversationId)?.tree;
  }

  /** All are read anew when they are asked for. Answers which they were. */
  forgetAll(): string[] {
    const known = [...this.#held.keys()];
    this.#held.clear();
    this.#homes.clear();
    this.#remembered.clear();
    return known;
  }

  /** What was decided on them is stored, and what follows from it is about to happen. */
  stored(conversationIds: Iterable<string>): void {
    for (const id of conversationIds) {
      const held = this.#held.get(id);
      if (held !== undefined) held.memory = copyMemory(held.tree.memory);
    }
  }

  /** What was decided on it since it was last stored does not count: it is read anew when it is asked for. */
  forget(conversationId: string): void {
    const memory = this.#held.get(conversationId)?.memory ?? null;
    this.#held.delete(conversationId);
    if (memory !== null) this.#remembered.set(conversationId, memory);
  }

  /** It is not there any more. */
  remove(conversationId: string): void {
    this.#held.delete(conversationId);
    this.#remembered.delete(conversationId);
  }

  /**
   * Lets go of what is too much, and answers it. To be called between two transactions only: then memory holds what is stored, and of a
   * conversation at rest nothing that the database does not know. `ended`: something may have come to rest.
   */
  trim(ended: boolean): ConversationTree[] {
    if (!this.#hasGrown && !ended) return [];
    this.#hasGrown = false;
    const latestFirst = [...this.#held.values()].sort((a, b) => b.used - a.used);
    let rows = 0;
    return latestFirst.flatMap(({ tree }, place) => {
      rows += rowsOf(tree);
      if (rows <= this.#rowsInMemory || place < NEWEST_KEPT || !isAtRest(tree)) return [];
      this.#letGo(tree);
      return tree;
    });
  }

  #letGo(tree: ConversationTree): void {
    this.#held.delete(tree.conversation.conversation_id);
    for (const runId of tree.runs.keys()) this.#homes.delete(runId);
  }

  /** Conversations in memory with a run that has not ended. */
  live(): string[] {
    const isOpen = ({ tree }: Held): boolean => [...tree.runs.values()].some((run) => !isEnded(run.state));
    return [...this.#held].filter(([, held]) => isOpen(held)).map(([id]) => id);
  }

  /** A run that writes belongs to this conversation: it need not be looked for in all of them. */
  noteHome(runId: string, conversationId: string): void {
    if (this.#homes.get(runId) !== conversationId) this.#homes.set(runId, conversationId);
  }

  /** The conversation of a run, set, conversation or ask id among those in memory, or null. */
  homeOf(id: string): string | null {
    if (this.#held.has(id)) return id;
    // Texts of a run come many times a second.
    const before = this.#homes.get(id);
    if (before !== undefined && this.#held.get(before)?.tree.runs.has(id)) return before;
    this.#homes.delete(id);
    for (const [conversationId, { tree }] of this.#held) {
      if (tree.runs.has(id)) this.#homes.set(id, conversationId);
      if (tree.runs.has(id) || tree.sets.has(id) || tree.asks.has(id)) return conversationId;
    }
    return null;
  }
}

/** Nothing is at work in it and nothing is held for it: what only a living core knows of it is of no use any more. */
function isAtRest(tree: ConversationTree): boolean {
  if (tree.holds.size > 0) return false;
  for (const set of tree.sets.values()) if (set.ended_at === null) return false;
  for (const run of tree.runs.values()) if (!isEnded(run.state)) return false;
  return true;
}

function rowsOf({ runs, sets, asks, steers, calls, deliveries }: ConversationTree): number {
  return [runs, sets, asks, steers, calls, deliveries].reduce((sum, { size }) => sum + size, 1);
}
