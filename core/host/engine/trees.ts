import { emptyTree, type ConversationTree } from '../../delegation/tree.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import type { ConversationRow } from '../../protocol/rows.ts';
import { readConversation } from '../../registry/store/read-rows.ts';
import type { ReadDb } from '../../registry/writers/db.ts';
import type { WriterHandle } from '../../registry/writers/handle.ts';
import type { StorageError } from '../../registry/writers/storage-error.ts';
import { treeOf } from './stored-tree.ts';

/** The database cannot be read now. Thrown inside the engine, which turns it into a refusal and tries again. */
export class UnreadableStorage extends Error {
  readonly storage: StorageError;
  constructor(storage: StorageError) {
    super(storage.message);
    this.name = 'UnreadableStorage';
    this.storage = storage;
  }
}

/**
 * The conversations of a project in memory. They run ahead of the database by one transaction, and are read anew when what was
 * decided on them could not be stored.
 */
export class Trees {
  readonly #writer: WriterHandle;
  readonly #trees = new Map<string, ConversationTree>();
  readonly #homes = new Map<string, string>();

  constructor(writer: WriterHandle) {
    this.#writer = writer;
  }

  /** Reads between transactions; throws {@link UnreadableStorage}. */
  read<T>(read: (db: ReadDb) => T): T {
    const result = this.#writer.read(read);
    if (!result.ok) throw new UnreadableStorage(result.error);
    return result.value;
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

  forget(conversationId: string): void {
    this.#trees.delete(conversationId);
  }

  /** Conversations in memory with a run that has not ended. */
  live(): string[] {
    const isOpen = (tree: ConversationTree): boolean => [...tree.runs.values()].some((run) => !isEnded(run.state));
    return [...this.#trees].filter(([, tree]) => isOpen(tree)).map(([id]) => id);
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
