import { emptyTree, type ConversationTree } from '../../delegation/tree.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import type { ConversationRow } from '../../protocol/rows.ts';
import { readConversation } from '../../registry/store/read-rows.ts';
import type { ReadDb } from '../../registry/writers/db.ts';
import type { StorageLink } from './storage-link.ts';
import { treeOf } from './stored-tree.ts';

/**
 * The conversations of a project in memory. They run ahead of the database by one transaction, and are read anew when what was
 * decided on them could not be stored.
 */
export class Trees {
  readonly #storage: Pick<StorageLink, 'read'>;
  readonly #trees = new Map<string, ConversationTree>();
  readonly #homes = new Map<string, string>();

  constructor(storage: Pick<StorageLink, 'read'>) {
    this.#storage = storage;
  }

  /** Reads between transactions; throws `UnreadableStorage`. */
  read<T>(read: (db: ReadDb) => T): T {
    return this.#storage.read(read);
  }

  /** The conversation's tree as decided so far, or null when it is unknown. */
  get(conversationId: string): ConversationTree | null {
    const known = this.#trees.get(conversationId);
    if (known !== undefined) return known;
    const stored = this.read((db) => readConversation(db, conversationId));
    if (stored === null) return null;
    const tree = treeOf(stored);
    this.#trees.set(conversationId, tree);
    return tree;
  }

  /** A new conversation, not yet stored. */
  create(row: ConversationRow): ConversationTree {
    const tree = emptyTree(row);
    this.#trees.set(row.conversation_id, tree);
    return tree;
  }

  /** All conversations in memory. */
  all(): ConversationTree[] {
    return [...this.#trees.values()];
  }

  loaded(conversationId: string): ConversationTree | undefined {
    return this.#trees.get(conversationId);
  }

  /** All are read anew when they are asked for. Answers which they were. */
  forgetAll(): string[] {
    const known = [...this.#trees.keys()];
    this.#trees.clear();
    this.#homes.clear();
    return known;
  }

  forget(conversationId: string): void {
    this.#trees.delete(conversationId);
  }

  /** Conversations in memory with a run that has not ended. */
  live(): string[] {
    const isOpen = (tree: ConversationTree): boolean => [...tree.runs.values()].some((run) => !isEnded(run.state));
    return [...this.#trees].filter(([, tree]) => isOpen(tree)).map(([id]) => id);
  }

  /** A run that writes belongs to this conversation: it need not be looked for in all of them. */
  noteHome(runId: string, conversationId: string): void {
    if (this.#homes.get(runId) !== conversationId) this.#homes.set(runId, conversationId);
  }

  /** The conversation of a run, set, conversation or ask id among those in memory, or null. */
  homeOf(id: string): string | null {
    if (this.#trees.has(id)) return id;
    // Texts of a run come many times a second.
    const before = this.#homes.get(id);
    if (before !== undefined && this.#trees.get(before)?.runs.has(id)) return before;
    this.#homes.delete(id);
    for (const [conversationId, tree] of this.#trees) {
      if (tree.runs.has(id)) this.#homes.set(id, conversationId);
      if (tree.runs.has(id) || tree.sets.has(id) || tree.asks.has(id)) return conversationId;
    }
    return null;
  }
}
